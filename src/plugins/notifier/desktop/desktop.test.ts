import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createNodeHost } from "../../../platform/host.ts";
import { createSilentLog } from "../../../platform/log.ts";
import type { Notifier } from "../../../ports/notifier.ts";
import { aNotice, describeNotifierContract } from "../../../testing/contracts/notifier.contract.ts";
import { tempDir } from "../../../testing/temp.ts";
import { desktop } from "./desktop.ts";

interface Call {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

interface Scene {
  readonly notifier: Notifier;
  calls(): readonly Call[];
  breakDown(): void;
}

const NO_KEY = {
  test: "uses the same key for a repetition, and another for other notices",
  reason: "desktops know no key that a second notification could carry",
};

/** A folder on PATH with programs that record how they were called. */
function aScene(programs: readonly string[], env: Readonly<Record<string, string>> = { DISPLAY: ":0" }): Scene {
  const root = tempDir();
  const bin = join(root, "bin");
  const [record, broken] = [join(root, "calls.jsonl"), join(root, "broken")];
  mkdirSync(bin);
  for (const program of programs) {
    const source = [
      `#!${process.execPath}`,
      `const { appendFileSync, existsSync } = require("node:fs");`,
      `if (existsSync(${JSON.stringify(broken)})) { console.error("no service"); process.exit(1); }`,
      `const call = { args: process.argv.slice(2), env: process.env };`,
      `appendFileSync(${JSON.stringify(record)}, JSON.stringify(call) + "\\n");`,
    ];
    writeFileSync(join(bin, program), source.join("\n"));
    chmodSync(join(bin, program), 0o755);
  }
  const host = createNodeHost({ log: createSilentLog(), env: { PATH: `relative:${bin}`, ...env } });
  return {
    notifier: desktop.create({}, host, { home: root, projectPath: root }),
    calls: () => {
      const lines = existsSync(record) ? readFileSync(record, "utf8").trim().split("\n") : [];
      return lines.map((line) => JSON.parse(line) as Call);
    },
    breakDown: () => writeFileSync(broken, ""),
  };
}

/** What a desktop shows of a body: notify-send interprets the backslashes, the desktop the markup. */
function readBody(body: string): string {
  const read = body.replaceAll("\\\\", "\\");
  return read.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

describeNotifierContract({
  name: "the notifier desktop with notify-send",
  create: () => {
    const { notifier, calls, breakDown } = aScene(["notify-send"]);
    const textOf = ({ args }: Call): string => `${args.at(-2)}\n${readBody(args.at(-1) ?? "")}`;
    return { notifier, breakDown, delivered: () => calls().map((call) => ({ text: textOf(call), key: null })) };
  },
  skip: [NO_KEY],
});

describeNotifierContract({
  name: "the notifier desktop with osascript",
  create: () => {
    const { notifier, calls, breakDown } = aScene(["osascript", "notify-send"], {});
    const textOf = ({ args }: Call): string => args.slice(-2).join("\n");
    return { notifier, breakDown, delivered: () => calls().map((call) => ({ text: textOf(call), key: null })) };
  },
  skip: [NO_KEY],
});

describe("the notifier desktop", () => {
  it("calls notify-send with its options, and the texts after --", async () => {
    const { notifier, calls } = aScene(["notify-send"]);
    await notifier.send([aNotice({ title: "-t & <b>", text: "a & <b>\\n", act: "ao logs web-1" })]);
    expect(calls()[0]?.args).toEqual([
      "--app-name=ao",
      "--urgency=normal",
      "--",
      "-t & <b>",
      "a &amp; &lt;b&gt;\\\\n\n\nRun: ao logs web-1",
    ]);
  });

  it("calls osascript with the same script whatever the texts are", async () => {
    const { notifier, calls } = aScene(["osascript"], {});
    await notifier.send([aNotice({ title: "-e", text: '" & quit & "' })]);
    await notifier.send([aNotice({ title: "Other", text: "Words" })]);
    const [first, second] = calls().map(({ args }) => args);
    expect(first?.slice(0, -2)).toEqual(second?.slice(0, -2));
    expect(first?.slice(-3)).toEqual(["ao", "-e", '" & quit & "']);
  });

  it.each([
    [["urgent"], "critical"],
    [["action"], "normal"],
    [["warning"], "normal"],
    [["info"], "low"],
    [["info", "warning", "info"], "normal"],
    [["info", "urgent", "action"], "critical"],
  ] as const)("shows %j as %s", async (priorities, urgency) => {
    const { notifier, calls } = aScene(["notify-send"]);
    await notifier.send(priorities.map((priority, index) => aNotice({ id: `n${index}`, priority })));
    expect(calls()[0]?.args).toContain(`--urgency=${urgency}`);
  });

  it("cuts long text between two characters, with an ellipsis", async () => {
    const { notifier, calls } = aScene(["notify-send"]);
    await notifier.send([aNotice({ title: "🎉".repeat(500), text: "&".repeat(5000) })]);
    const [title = "", body = ""] = calls()[0]?.args.slice(-2) ?? [];
    expect([...title]).toEqual([...Array<string>(199).fill("🎉"), "…"]);
    expect(body).toBe(`${"&amp;".repeat(999)}…`);
  });

  it("lists at most twenty notices, and counts the rest", async () => {
    const { notifier, calls } = aScene(["notify-send"]);
    await notifier.send(Array.from({ length: 25 }, (_, index) => aNotice({ id: `n${index}`, title: `T${index}` })));
    const [title, body = ""] = calls()[0]?.args.slice(-2) ?? [];
    expect(title).toBe("25 notices");
    expect(body.split("\n")).toHaveLength(21);
    expect(body).toMatch(/^• T0\n[\s\S]*• T19\n… and 5 more$/);
  });

  it("shows the subject of a notice without a title", async () => {
    const { notifier, calls } = aScene(["notify-send"]);
    await notifier.send([aNotice({ title: " \n ", text: "" })]);
    expect(calls()[0]?.args.slice(-2)).toEqual(["ci-failed", ""]);
  });

  it("passes the program only the desktop's variables", async () => {
    const env = { DISPLAY: ":7", DBUS_SESSION_BUS_ADDRESS: "unix:path=/b", GITHUB_TOKEN: "t0ken" };
    const { notifier, calls } = aScene(["notify-send"], env);
    await notifier.send([aNotice({})]);
    const { PATH, ...rest } = calls()[0]?.env ?? {};
    expect(PATH).toBeDefined();
    expect(rest).toEqual({ DISPLAY: ":7", DBUS_SESSION_BUS_ADDRESS: "unix:path=/b", AO_INTENT: "" });
  });

  it("reports notify-send's error", async () => {
    const { notifier, breakDown } = aScene(["notify-send"]);
    breakDown();
    await expect(notifier.send([aNotice({})])).rejects.toMatchObject({
      plugin: "desktop",
      category: "unavailable",
      message: expect.stringContaining("no service"),
    });
  });
});

describe("the preflight of the notifier desktop", () => {
  it.each([
    ["notify-send is missing", [], { DISPLAY: ":0" }, /^notify-send is not on the daemon's PATH/],
    ["there is no desktop", ["notify-send"], {}, /^The daemon has no desktop: none of DISPLAY,/],
    ["the display is empty", ["notify-send"], { DISPLAY: "" }, /^The daemon has no desktop/],
  ])("reports that %s, as sending does", async (_name, programs, env, reason) => {
    const { notifier, calls } = aScene(programs, env as Record<string, string>);
    expect(await notifier.preflight()).toEqual({ ok: false, reason: expect.stringMatching(reason) });
    await expect(notifier.send([aNotice({})])).rejects.toMatchObject({
      code: "plugin-unavailable",
      category: "config",
      message: expect.stringMatching(reason),
    });
    expect(calls()).toEqual([]);
  });

  it.each(["DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS"])("accepts %s", async (name) => {
    const { notifier } = aScene(["notify-send"], { [name]: "x" });
    expect(await notifier.preflight()).toEqual({ ok: true, reason: null });
  });

  it("accepts the user's bus in its usual place", async () => {
    const folder = tempDir();
    const { notifier } = aScene(["notify-send"], { XDG_RUNTIME_DIR: folder });
    expect((await notifier.preflight()).ok).toBe(false);
    writeFileSync(join(folder, "bus"), "");
    expect((await notifier.preflight()).ok).toBe(true);
  });
});
