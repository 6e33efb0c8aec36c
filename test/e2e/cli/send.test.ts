import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { MessageView } from "../../../src/protocol/views/session.ts";
import { isFull } from "../../../src/testing/full.ts";
import { type Fleet, makeFleet } from "../../support/fleet.ts";
import { until } from "../../support/until.ts";
import { largest, MIB, TEXTS, UNTYPABLE } from "./send-texts.ts";
import { main, openShell, plainEnvironment, run, type Shell, type Typed } from "./shell.ts";

const DELIVERED: Typed = { code: 0, out: "delivered\n", err: "" };
const ways = ["argument", "file", "stdin"] as const;
/** Takes one text for each process and keeps it as it came. */
const keeper = ["sh", "-c", 'cat >"$AO_DIARY/part.$$" && mv "$AO_DIARY/part.$$" "$AO_DIARY/last"'];

async function aFleet(options: Parameters<typeof makeFleet>[0] = {}): Promise<{ fleet: Fleet; shell: Shell }> {
  const fleet = await makeFleet(options);
  await fleet.start();
  const shell = openShell(fleet.repo, { ...plainEnvironment(fleet.dir), AO_HOME: fleet.home });
  await shell.ok("add-project", ".");
  return { fleet, shell };
}

function send(fleet: Fleet, shell: Shell, way: (typeof ways)[number], text: string): Promise<Typed> {
  if (way === "argument") return shell.ao("send", "demo-talk", text);
  if (way === "stdin") return shell.aoWith({ input: text }, "send", "demo-talk");
  writeFileSync(join(fleet.dir, "message"), text);
  return shell.ao("send", "demo-talk", "--file", join(fleet.dir, "message"));
}

/** What the last program of `keeper` got; null: none has ended yet. */
function lastKept(fleet: Fleet): Buffer | null {
  const file = join(fleet.dir, "diary/last");
  return existsSync(file) ? readFileSync(file) : null;
}

/** What the agent of `lines` got after its task. */
function messagesTo(fleet: Fleet, id = "demo-talk"): readonly (string | undefined)[] {
  return fleet
    .diary(id)
    .filter((entry) => entry.event === "message")
    .map((entry) => entry.text);
}

describe.each(ways)("ao send by %s", (way) => {
  const texts = Object.entries(way === "argument" ? TEXTS : { ...TEXTS, ...UNTYPABLE });

  // A file is read as stdin is.
  const lines = isFull || way !== "file" ? texts : texts.slice(-3);

  it("brings every text unchanged to an agent of lines", async () => {
    const { fleet, shell } = await aFleet();
    await shell.ok("new", "talk");
    for (const [name, text] of lines) {
      expect(await send(fleet, shell, way, text), name).toEqual(DELIVERED);
      expect(messagesTo(fleet).at(-1), name).toBe(text);
    }
    expect(messagesTo(fleet)).toEqual(lines.map(([, text]) => text));
  });

  // The way into the daemon and the way to the agent know nothing of each other: in the short run one of them takes all texts.
  const some = isFull || way === "stdin" ? texts : texts.slice(0, 2);

  it("brings every text byte for byte to a program for each message", async () => {
    const { fleet, shell } = await aFleet({ agentConfig: { command: keeper, protocol: "oneshot" } });
    await shell.ok("new", "talk");
    for (const [name, text] of some) {
      expect(await send(fleet, shell, way, text), name).toMatchObject({ code: 0, err: "" });
      // A program that takes long to start on a busy machine is not waited for by the command.
      await until(`the text ${name} to arrive`, () => lastKept(fleet)?.equals(Buffer.from(text)) === true);
    }
  });
});

describe("the size of a message", () => {
  it.each(["file", "stdin"] as const)("may be exactly 1 MiB by %s, to an agent of lines", async (way) => {
    const { fleet, shell } = await aFleet();
    await shell.ok("new", "talk");
    for (const [name, text] of Object.entries(largest())) {
      expect(Buffer.byteLength(text), name).toBe(MIB);
      expect((await send(fleet, shell, way, text)).code, name).toBe(0);
      await until(`the text ${name} to arrive`, () => messagesTo(fleet).at(-1) === text);
    }
  });

  it("may be exactly 1 MiB, to a program for each message", async () => {
    const { fleet, shell } = await aFleet({ agentConfig: { command: keeper, protocol: "oneshot" } });
    await shell.ok("new", "talk");
    for (const [name, text] of Object.entries(largest())) {
      expect((await send(fleet, shell, "stdin", text)).code, name).toBe(0);
      await until(`the text ${name} to arrive`, () =>
        readFileSync(join(fleet.dir, "diary/last")).equals(Buffer.from(text)),
      );
    }
  });

  it("may be as much as the system takes for an argument", async () => {
    const { fleet, shell } = await aFleet();
    await shell.ok("new", "talk");
    const text = "é\n".repeat(43_000);
    expect(await send(fleet, shell, "argument", text)).toEqual(DELIVERED);
    expect(messagesTo(fleet)).toEqual([text]);
  });
});

const RAW_ARGUMENT = 'exec "$0" "$1" send demo-talk "$(printf "h\\377i")"';

describe("ao send refuses", () => {
  const tooLong = "x".repeat(MIB + 1);
  const refused: readonly (readonly [string, RegExp, (shell: Shell, dir: string) => Promise<Typed>])[] = [
    ["1 MiB and a byte by stdin", /larger than 1 MiB/, (s) => s.aoWith({ input: tooLong }, "send", "demo-talk")],
    ["1 MiB and a byte by file", /larger than 1 MiB/, (s, dir) => sendBytes(s, dir, Buffer.from(tooLong))],
    [
      "a character that crosses 1 MiB",
      /larger than 1 MiB/,
      (s, dir) => sendBytes(s, dir, Buffer.from(`${"x".repeat(MIB - 1)}é`)),
    ],
    [
      "1 MiB and a byte by the API",
      /larger than 1 MiB/,
      (s, dir) => {
        writeFileSync(join(dir, "body"), JSON.stringify({ content: tooLong }));
        return s.ao("api", "POST", "/sessions/demo-talk/message", "-d", `@${join(dir, "body")}`);
      },
    ],
    ["a file that is not UTF-8", /not valid UTF-8/, (s, dir) => sendBytes(s, dir, Buffer.from([0x68, 0xff, 0x69]))],
    ["half a character", /not valid UTF-8/, (s, dir) => sendBytes(s, dir, Buffer.from("é").subarray(0, 1))],
    [
      "stdin that is not UTF-8",
      /not valid UTF-8/,
      (s) => s.aoWith({ input: Buffer.from([0xc0, 0x80]) }, "send", "demo-talk"),
    ],
    [
      "an argument that is not UTF-8",
      /not valid UTF-8/,
      (s) => run("sh", ["-c", RAW_ARGUMENT, process.execPath, main], { env: s.env }),
    ],
    ["an empty argument", /is empty/, (s) => s.ao("send", "demo-talk", "")],
    ["an empty file", /is empty/, (s, dir) => sendBytes(s, dir, Buffer.alloc(0))],
    ["empty stdin", /is empty/, (s) => s.aoWith({ input: "" }, "send", "demo-talk")],
    ["a file that is not there", /no such file/, (s) => s.ao("send", "demo-talk", "--file", "/no/such/file")],
    ["a folder as a file", /cannot read/, (s) => s.ao("send", "demo-talk", "--file", "/")],
  ];

  function sendBytes(shell: Shell, dir: string, bytes: Uint8Array): Promise<Typed> {
    writeFileSync(join(dir, "message"), bytes);
    return shell.ao("send", "demo-talk", "--file", join(dir, "message"));
  }

  it("what it cannot bring unchanged, with a sentence and a hint, and sends nothing", async () => {
    const { fleet, shell } = await aFleet();
    await shell.ok("new", "talk");
    for (const [what, sentence, type] of refused) {
      const typed = await type(shell, fleet.dir);
      expect([1, 2], what).toContain(typed.code);
      expect(typed.err, what).toMatch(/^error: .+\nhint: .+\n$/);
      expect(typed.err, what).toMatch(sentence);
    }
    expect(await shell.ok("send", "demo-talk", "after all")).toBe("delivered\n");
    expect(messagesTo(fleet)).toEqual(["after all"]);
  });
});

describe("ao send says what became of the message", () => {
  it("delivered, when the agent confirmed it; with --json as an object", async () => {
    const { fleet, shell } = await aFleet();
    await shell.ok("new", "talk");
    const message = await shell.json<MessageView>("send", "demo-talk", "hällo");
    expect(message).toEqual({
      id: expect.stringMatching(/^m-/),
      kind: "message",
      delivery: "delivered",
      attempt: 1,
      bytes: 6,
      preview: "hällo",
      reason: null,
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
    expect(fleet.diary("demo-talk").at(-2)).toMatchObject({ event: "message", id: message.id, text: "hällo" });
  });

  it("takes words after -- as they are, even names of options", async () => {
    const { fleet, shell } = await aFleet();
    await shell.ok("new", "talk");
    for (const word of ["--help", "--json", "-f", "--"]) await shell.ok("send", "demo-talk", "--", word);
    expect(messagesTo(fleet)).toEqual(["--help", "--json", "-f", "--"]);
  });

  it("unconfirmed, when the agent never confirms, and that is no failure", async () => {
    const { fleet, shell } = await aFleet();
    await shell.ok("new", "talk");
    const typed = await shell.ao("send", "demo-talk", "!silent");
    expect(typed).toMatchObject({ code: 0, out: expect.stringMatching(/^unconfirmed/) });
    expect(messagesTo(fleet)).toEqual(["!silent"]);
  });

  it("unconfirmed while an agent that confirms is at work on another one, with that reason", async () => {
    const { fleet, shell } = await aFleet();
    await shell.aoWith({ input: "!busy 600000" }, "new", "talk", "--prompt-file", "-");
    await until("the turn", async () => (await fleet.session("demo-talk")).agentStatus === "working");
    expect(await shell.ok("send", "demo-talk", "later")).toMatch(/^unconfirmed: .*after the turn that runs\n$/);
  });

  it("queued while a question is open; after the answer all come in order", async () => {
    const { fleet, shell } = await aFleet();
    await shell.aoWith({ input: "!ask Really?|yes|no" }, "new", "talk", "--prompt-file", "-");
    await until("the question", async () => (await fleet.session("demo-talk")).question !== null);
    for (const text of ["first", "second", "third"]) {
      expect(await shell.ok("send", "demo-talk", text)).toMatch(/^queued: .*question/);
    }
    expect(messagesTo(fleet)).toEqual([]);
    expect(await shell.ok("answer", "demo-talk", "no")).toBe("answered: no\n");
    await until("all messages", () => messagesTo(fleet).length === 3);
    const heard = fleet.diary("demo-talk").filter(({ event }) => event === "answer" || event === "message");
    expect(heard.map((entry) => entry.choice ?? entry.text)).toEqual(["no", "first", "second", "third"]);
  });

  it("queued while everything is paused; after resume it comes", async () => {
    const { fleet, shell } = await aFleet();
    await shell.ok("new", "talk");
    await shell.ok("pause");
    expect(await shell.ok("send", "demo-talk", "later")).toMatch(/^queued: .*paused/);
    expect(messagesTo(fleet)).toEqual([]);
    await shell.ok("resume");
    await until("the message", () => messagesTo(fleet).join() === "later");
  });
});

it("ao send never reaches a session whose name only starts alike", async () => {
  const { fleet, shell } = await aFleet();
  await shell.ok("new", "fix");
  await shell.ok("new", "fix");
  await shell.ok("send", "demo-fix", "for the first");
  await shell.ok("send", "demo-fix-2", "for the second");
  expect(messagesTo(fleet, "demo-fix")).toEqual(["for the first"]);
  expect(messagesTo(fleet, "demo-fix-2")).toEqual(["for the second"]);
  await shell.ok("stop", "demo-fix");
  const late = await shell.ao("send", "demo-fix", "too late");
  expect(late).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^error: .*demo-fix .*\nhint: .*ao restore demo-fix/),
  });
  expect(messagesTo(fleet, "demo-fix-2")).toEqual(["for the second"]);
});
