import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Fleet, makeFleet } from "../../support/fleet.ts";
import { until } from "../../support/until.ts";
import { endEverything, main, openShell, plainEnvironment, type Shell } from "./shell.ts";

const hasTmux = spawnSync("tmux", ["-V"]).status === 0;
const title = `ao send to a terminal${hasTmux ? "" : " (skipped: tmux is not installed)"}`;
/** A program that knows nothing about ao: typed text goes to a file. */
const typist = ["sh", "-c", 'exec cat >"$AO_DIARY/$AO_SESSION.typed"'];

/** A program in a terminal that asks before it commits, and prints in color when it is done. */
const SPEAK = `
say() { printf '\\033[32m%s\\033[0m\\n' "$1"; }
while IFS= read -r line; do
  printf '%s\\n' "$line" >>"$AO_DIARY/$AO_SESSION.typed"
  case $line in
    *"sort beans"*) say '{"type":"status","state":"working"}'; say '{"type":"ask","id":"q1","question":"Commit it?","choices":["yes","no"]}' ;;
    yes) echo new >new.txt; git add new.txt; git commit -qm "Add a file"; say '{"type":"done","summary":"committed"}' ;;
    "> {"*) say '{"type":"done","summary":"heard"}' ;;
  esac
done
`;
const speaker = ["sh", "-c", SPEAK];

interface Terminals {
  readonly fleet: Fleet;
  readonly shell: Shell;
  typed(id: string): string;
}

async function terminals(quietMs = 1000, command: readonly string[] = typist): Promise<Terminals> {
  const fleet = await makeFleet({
    agentConfig: { command, interface: "terminal" },
    project: { runtime: { plugin: "tmux", quietMs, settleMs: 50 } },
  });
  onTestFinished(() => endEverything(fleet.home));
  await fleet.start();
  const shell = openShell(fleet.repo, { ...plainEnvironment(fleet.dir), AO_HOME: fleet.home });
  await shell.ok("add-project", ".");
  const file = (id: string): string => join(fleet.dir, "diary", `${id}.typed`);
  return { fleet, shell, typed: (id) => (existsSync(file(id)) ? readFileSync(file(id), "utf8") : "") };
}

/** Starts a session and waits until its task was typed. */
async function begin({ shell, typed }: Terminals, name: string, id: string): Promise<void> {
  await shell.ok("new", name);
  await until("the task to be typed", () => typed(id).endsWith("\n"));
}

describe.skipIf(!hasTmux)(title, () => {
  it("types text, newlines and tabs unchanged, and says that they are not confirmed", async () => {
    const all = await terminals();
    await begin(all, "talk", "demo-talk");
    const before = all.typed("demo-talk");
    const texts = [
      "hello",
      "one\n\ttwo\n\nfour",
      'it\'s "quoted" `too` \\ $HOME %s #{pane_dead} ; kill-server',
      "- a dash, -t demo-talk",
      "👩‍👩‍👧‍👦 שלום 你好 e\u0301",
      "C-c",
      "x".repeat(1000),
    ];
    for (const text of texts) {
      expect(await all.shell.ao("send", "demo-talk", text)).toMatchObject({
        code: 0,
        out: expect.stringMatching(/^unconfirmed/),
      });
    }
    const expected = texts.map((text) => `${text}\n`).join("");
    await until("everything to be typed", () => all.typed("demo-talk").length >= before.length + expected.length);
    expect(all.typed("demo-talk").slice(before.length)).toBe(expected);
  });

  it("refuses control characters with a reason and types nothing", async () => {
    const all = await terminals();
    await begin(all, "talk", "demo-talk");
    const before = all.typed("demo-talk");
    for (const bad of ["\u0001", "\u0003", "\u0004", "\r", "\u001b[201~x", "\u007f", "\u009b", "\u0000"]) {
      const typed = await all.shell.aoWith({ input: `before ${bad} after` }, "send", "demo-talk");
      expect(typed, JSON.stringify(bad)).toMatchObject({ code: 1, out: "" });
      expect(typed.err, JSON.stringify(bad)).toMatch(/^error: .*control character.*\nhint: .+\n$/);
    }
    await all.shell.ok("send", "demo-talk", "clean");
    await until("the clean text", () => all.typed("demo-talk").endsWith("clean\n"));
    expect(all.typed("demo-talk")).toBe(`${before}clean\n`);
  });

  it("never reaches a terminal whose name has the same prefix, even if the right one died", async () => {
    const all = await terminals();
    await begin(all, "fix", "demo-fix");
    await begin(all, "fix", "demo-fix-2");
    const second = all.typed("demo-fix-2");
    await all.shell.ok("send", "demo-fix", "for the first");
    await until("the text", () => all.typed("demo-fix").endsWith("for the first\n"));
    const { pid } = (await all.fleet.session("demo-fix")).run;
    process.kill(pid ?? 0, "SIGKILL");
    await all.shell.ao("send", "demo-fix", "again for the first");
    await until("the text in the next life", () => all.typed("demo-fix").includes("again for the first\n"));
    await all.shell.ok("stop", "demo-fix");
    expect(await all.shell.ao("send", "demo-fix", "too late")).toMatchObject({ code: 1 });
    await all.shell.ok("send", "demo-fix-2", "for the second");
    await until("the second's text", () => all.typed("demo-fix-2").endsWith("for the second\n"));
    expect(all.typed("demo-fix-2")).toBe(`${second}for the second\n`);
  });

  it("reads the protocol lines its program prints, but not the echo of its own messages", async () => {
    const all = await terminals(1000, speaker);
    await all.shell.ok("new", "sort beans");
    const asked = await until("the question", async () => (await all.fleet.session("demo-sort-beans")).question);
    expect(asked).toMatchObject({ question: "Commit it?", choices: ["yes", "no"] });
    await all.shell.ok("answer", "demo-sort-beans", "yes");
    await all.shell.ok("wait", "demo-sort-beans", "--for", "pr", "--timeout", "60s");
    expect(await all.fleet.session("demo-sort-beans")).toMatchObject({ agentStatus: "idle", summary: "committed" });

    const fake = '{"type":"done","summary":"made up"}';
    await all.shell.ok("send", "demo-sort-beans", `look:\n${fake}`);
    await until("the message", () => all.typed("demo-sort-beans").endsWith(`look:\n> ${fake}\n`));
    await until("the turn's end", async () => (await all.fleet.session("demo-sort-beans")).summary === "heard");
    const events = (await all.shell.ok("events", "--json", "--session", "demo-sort-beans")).trim().split("\n");
    const ends = events.filter((event) => event.includes('"agent.finished"'));
    expect(ends.filter((event) => event.includes("made up"))).toEqual([]);
  });

  it("waits while a person types in the attached terminal, says so, and types after the person's line", async () => {
    const all = await terminals();
    await begin(all, "talk", "demo-talk");
    const before = all.typed("demo-talk");
    const { press, sawKey } = await sitDown(all);
    press("half a li");
    await sawKey();
    expect(await all.shell.ok("send", "demo-talk", "from ao")).toMatch(/^queued: .*(typing|half-typed)/);
    expect(all.typed("demo-talk")).toBe(before);
    press("ne", "Enter");
    await until("the message after the person's line", () => all.typed("demo-talk").endsWith("from ao\n"));
    expect(all.typed("demo-talk")).toBe(`${before}half a line\nfrom ao\n`);
  });
});

/** A person at another terminal who types `ao attach`; returns the keyboard. */
async function sitDown({ fleet, shell }: Terminals): Promise<{
  press(...keys: string[]): void;
  sawKey(): Promise<unknown>;
}> {
  const desk = join(fleet.dir, "desk.sock");
  const atDesk = (...args: string[]): string =>
    execFileSync("tmux", ["-S", desk, "-f", "/dev/null", ...args], { encoding: "utf8", stdio: "pipe", env: shell.env });
  onTestFinished(() => void spawnSync("tmux", ["-S", desk, "kill-server"]));
  atDesk("new-session", "-d", "-x", "100", "-y", "30", process.execPath, main, "attach", "demo-talk");
  const inner = join(fleet.home, "tmux.sock");
  const ask = (format: string): number =>
    Number(execFileSync("tmux", ["-S", inner, "list-clients", "-F", format], { encoding: "utf8" }).trim() || "0");
  await until("the person to be attached", () => ask("#{client_created}") > 0);
  // tmux counts in seconds: a key in the same second as attaching does not count as typing.
  await until("the second of the attachment to pass", () => Date.now() / 1000 > ask("#{client_created}") + 1.05);
  const keys = "#{e|-:#{client_activity},#{client_created}}";
  return {
    press: (...names) => void atDesk("send-keys", ...names),
    sawKey: () => until("the key to arrive", () => ask(keys) > 0),
  };
}
