import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { TranscriptItem } from "../../../src/protocol/views/transcript.ts";
import { type Fleet, makeFleet } from "../../support/fleet.ts";
import { until } from "../../support/until.ts";
import { main, openShell, plainEnvironment, type Shell } from "./shell.ts";

const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

async function aTalk(): Promise<{ readonly fleet: Fleet; readonly shell: Shell }> {
  const fleet = await makeFleet();
  await fleet.start();
  const shell = openShell(fleet.repo, { ...plainEnvironment(fleet.dir), AO_HOME: fleet.home });
  await shell.ok("add-project", ".");
  await shell.ok("new", "talk");
  await shell.ok("wait", "demo-talk", "--for", "idle");
  return { fleet, shell };
}

const tell = (line: object): string => `!tell ${JSON.stringify(line)}`;
const work = (at = new Date().toISOString()): string =>
  [
    tell({ type: "say", text: "# Plan\n\nI **look**.", at }),
    tell({ type: "tool", id: "t1", name: "Bash", title: "ls", at }),
    tell({ type: "status", state: "working", note: "Bash: ls" }),
    tell({ type: "tool-result", id: "t1", ok: true, text: "1\n2\n3\n4\n5\n6\n7\n\u001b[2J8", at }),
  ].join("\n");

interface Pane {
  /** Keys by tmux's names; anything else as it is. */
  press(...keys: readonly string[]): void;
  /** The lines of the screen, once they match. */
  see(what: string | RegExp): Promise<string>;
}

/** A person who types `ao attach demo-talk` on a terminal of 80 × 24. */
function attach({ fleet, shell }: { readonly fleet: Fleet; readonly shell: Shell }): Pane {
  const socket = join(fleet.dir, "desk.sock");
  const tmux = (...args: readonly string[]): string =>
    execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...args], {
      encoding: "utf8",
      stdio: "pipe",
      env: shell.env,
    });
  onTestFinished(() => void spawnSync("tmux", ["-S", socket, "kill-server"]));
  const line = `${process.execPath} ${main} attach demo-talk; echo "code $?"; exec cat`;
  tmux("new-session", "-d", "-x", "80", "-y", "24", "sh", "-c", line);
  const screen = (): string => tmux("capture-pane", "-p").trimEnd();
  return {
    press: (...keys) => void tmux("send-keys", ...keys),
    see: async (what) => {
      const isThere = (): boolean => (typeof what === "string" ? screen().includes(what) : what.test(screen()));
      await until(`the screen to show ${what}`, isThere).catch((error: unknown) => {
        throw new Error(`${String(error)}\n${screen()}`);
      });
      return screen();
    },
  };
}

it.runIf(hasTmux)("a person reads the conversation, writes a message and answers a question in one place", async () => {
  const talk = await aTalk();
  const { shell } = talk;
  const { press, see } = attach(talk);
  await see(/press Enter[^\n]*\n>$/m);
  press("half a li");
  await see(/> half a li$/m);
  await shell.ok("send", "demo-talk", work());
  expect(await see("3 more lines")).toMatch(
    /agent {2}Plan\n\n +I look\.\n +tool {3}Bash ls\n +│ 1\n(.*\n)+?> half a li$/m,
  );
  press("ne", "Enter");
  // The receipt and the transcript arrive separately, in either order.
  await see(/^delivered$/m);
  await see(/you {4}half a line$/m);

  await shell.ok("send", "demo-talk", "!ask Which one?|red|blue");
  await see(/asks {3}Which one\?\n +1\. red\n +2\. blue\n(.*\n)*answer>$/m);
  press("9", "Enter");
  await see('"9" is not one of the choices');
  press("2", "Enter");
  await see(/agent {2}answered blue$/m);
  await see(/you {4}blue$/m);

  press("/nonsense", "Enter");
  await see(/unknown command \/nonsense\n.*\n/);
  press("C-c");
  const last = await see(/^code \d+$/m);
  expect(last).toMatch(/Detached; demo-talk keeps running\.\ncode 0$/m);
  expect(last).not.toContain("bug");
});

it("`ao logs` shows the conversation once and in order: in full, as JSON and when following", async () => {
  const { shell } = await aTalk();
  await shell.ok("send", "demo-talk", work());
  await shell.ok("wait", "demo-talk", "--for", "idle");
  const shown = await shell.ok("logs", "demo-talk");
  expect(shown.match(/Bash ls/g)).toHaveLength(1);
  expect(shown).toMatch(
    /you {4}talk\n(.*\n)*.*you {4}!tell(.*\n)*?.*agent {2}Plan\n\n +I look\.\n +tool {3}Bash ls\n( +│ \d\n){5} +│ … 3 more/,
  );
  const full = await shell.ok("logs", "demo-talk", "--full");
  expect(full).toContain("│ \\x1b[2J8");
  const { data, cursor } = await shell.json<{ data: readonly TranscriptItem[]; cursor: string }>("logs", "demo-talk");
  expect(data.map(({ kind }) => kind)).toEqual(["message", "end", "message", "say", "tool", "result", "end"]);
  const since = await shell.ok("api", "GET", `/sessions/demo-talk/transcript?cursor=${cursor}`);
  expect(JSON.parse(since)).toMatchObject({ data: [], over: false });
  await shell.ok("stop", "demo-talk");
  const followed = (await shell.ok("logs", "demo-talk", "-f", "--json")).trim().split("\n");
  expect(followed.map((line) => (JSON.parse(line) as TranscriptItem).id).slice(0, data.length)).toEqual(
    data.map(({ id }) => id),
  );
  expect((await shell.ao("attach", "demo-talk")).err).toMatch(
    /Following demo-talk \(stopped\)\. Ctrl\+C detaches\.\ndemo-talk has stopped\./,
  );
});
