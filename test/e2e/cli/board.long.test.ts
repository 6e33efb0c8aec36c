import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { tempDir } from "../../../src/testing/temp.ts";
import { boardSessions } from "../../support/board-fleet.ts";
import { type BoardServer, startBoardServer } from "../../support/board-server.ts";
import { expectToFit, hasTmux, openPane, type Pane } from "../../support/pane.ts";
import { anAttention } from "../../support/session-views.ts";
import { until } from "../../support/until.ts";
import { main } from "./shell.ts";

interface Desk {
  readonly home: string;
  readonly pane: Pane;
  readonly server: BoardServer;
}

interface DeskOptions {
  readonly count: number;
  readonly columns?: number;
  readonly rows?: number;
  /** What runs in the terminal; default the board alone. */
  readonly command?: string;
}

const board = `'${process.execPath}' '${main}'`;

async function openBoard({ count, columns = 100, rows = 30, command = `exec ${board}` }: DeskOptions): Promise<Desk> {
  const home = tempDir("ao-b-");
  const server = await startBoardServer(home, boardSessions(count));
  const pane = openPane({ dir: home, columns, rows, env: { AO_HOME: home }, command });
  return { home, pane, server };
}

const SIZES = [
  [80, 24],
  [120, 40],
  [200, 60],
] as const;

describe.skipIf(!hasTmux)("the board in a terminal", () => {
  describe.each(SIZES)("of %d×%d", (columns, rows) => {
    it.each([0, 3, 60, 500])(
      "shows %d sessions, those that need a person on top, without wrapping a row",
      async (count) => {
        const { pane } = await openBoard({ count, columns, rows });
        const text = await pane.see(count === 0 ? /No sessions/ : /Needs you[\s\S]*shop-\d/);
        expectToFit(pane.rows(), columns, rows);
        expect(text).toMatch(
          count === 0 ? /^ ao {2}0 sessions/ : new RegExp(`^ ao {2}${count} sessions · \\d+ needs? you`),
        );
        expect(text).toMatch(/● live\s*\n/);
        if (count > 0) expect(pane.rows()[1]).toMatch(/^ {2}Needs you \d+/);
        if (count > 0) expect(pane.rows()[2]).toMatch(/^▌ \? permission/);
        expect(pane.rows()[rows - 1]).toMatch(/\? help {2}q quit/);
      },
    );
  });

  it("does what each key says and shows the result", async () => {
    const { pane, server } = await openBoard({ count: 60 });
    const expectAsked = (what: string): Promise<boolean> => until(what, () => server.asked.includes(what));
    await pane.see(/── 1 of 60 ─[\s\S]*wants to run/);
    const permission = /▌.*(shop-\d+)/.exec(pane.rows().join("\n"))?.[1] ?? "";

    pane.press("a");
    await pane.see(/│ rm -f license[\s\S]*answer:/);
    pane.press("2");
    await pane.see(/answer: 2▏ +allow always/);
    pane.press("Enter");
    await pane.see(new RegExp(`Answered ${permission}: allow always`));
    await expectAsked(`POST /api/sessions/${permission}/permission {"choice":"allow always"}`);

    pane.press("m");
    await pane.see(new RegExp(`message to ${permission}: ▏`));
    pane.type("use sed; then q");
    pane.press("Enter");
    await pane.see(/Message to .* queued/);
    await expectAsked(`POST /api/sessions/${permission}/message {"content":"use sed; then q"}`);

    pane.press("d");
    await pane.see(/\+ {4}new\\x1b\[2J/);
    pane.press("q");
    await pane.see(/Needs you/);
    pane.press("Enter");
    await pane.see(/transcript {2}[\s\S]*Nothing yet/);
    pane.press("Escape");
    await pane.see(/Needs you/);
    pane.press("?");
    await pane.see(/answer its question/);
    pane.press("?");
    await pane.see(/Needs you/);

    for (const key of ["t", "A"]) {
      pane.press(key);
      await pane.see(new RegExp(`^the terminal of ${permission}`));
      pane.press("Enter");
      await pane.see(/Needs you/);
    }

    pane.press("p");
    await pane.see(/has no open pull request/);
    pane.press("/");
    pane.type("needs 1 approval");
    await pane.see(/filter: needs 1 approval▏/);
    pane.press("Enter");
    const reviewed = /▌.*(shop-\d+)/.exec(await pane.see(/▌ ◉ needs review/))?.[1] ?? "";
    pane.press("p");
    await pane.see(/Approved #\d+\. Waiting for: needs 1 approval/);
    await expectAsked(`POST /api/sessions/${reviewed}/approve {"head":"1234567890abcdef"}`);
    pane.press("r");
    pane.type("smaller");
    pane.press("Enter");
    await pane.see(/Requested changes on #\d+/);
    pane.press("M");
    await pane.see(/Merge #\d+ into main\? .*\(y\/N\)/);
    pane.press("x");
    await pane.see(/Canceled/);
    expect(server.asked.some((one) => one.includes("/merge"))).toBe(false);
    pane.press("M", "y");
    await pane.see(/Merge of #\d+ requested/);
    pane.press("s", "y");
    await pane.see(new RegExp(`Stopped ${reviewed}`));
    await expectAsked(`DELETE /api/sessions/${reviewed} {"wait":true}`);
    pane.press("R");
    await pane.see(new RegExp(`Restoring ${reviewed}`));
    pane.press("n");
    await pane.see(/new task in shop: ▏[\s\S]*Tab other project/);
    pane.press("Tab");
    pane.type("Fix it");
    await pane.see(/new task in site: Fix it▏/);
    pane.press("Enter");
    await pane.see(/Started shop-new/);
    expect(server.asked.at(-1)).toMatch(/^POST \/api\/sessions \{"projectId":"site","title":"Fix it"/);

    pane.press("Escape");
    await pane.see(/of 60 ─/);
    pane.press("g", "j", "j", "k");
    await pane.see(/── 2 of 60 ─/);
    pane.press("G");
    await pane.see(/── 60 of 60 ─/);
    pane.press("PageUp");
    await pane.see(/── 50 of 60 ─/);
    pane.press("C-l");
    await pane.see(/── 50 of 60 ─/);
    pane.press("q");
    await until("the board to end", () => {
      const { status } = spawnSync("tmux", ["-S", pane.socket, "has-session"]);
      return status !== 0;
    });
  });

  it("rings the bell and sets the title when another session needs a person", async () => {
    const { pane, server } = await openBoard({ count: 3, command: `${board}; sleep 100` });
    await pane.see(/3 sessions · 2 need you/);
    expect(pane.ask("#{window_bell_flag}")).toBe("0");
    await until("the title", () => pane.ask("#{pane_title}") === "ao: 2 need you");
    const [first, ...rest] = boardSessions(3);
    const attention = anAttention("agent-stuck", { text: "no sign of life for 10 min" });
    server.show([{ ...(first ?? boardSessions(1)[0]), attention } as (typeof rest)[number], ...rest]);
    await pane.see(/3 need you[\s\S]*◌ no signal/);
    await until("the bell", () => pane.ask("#{pane_title}") === "ao: 3 need you");
    server.show(rest, { paused: true });
    await pane.see(/2 sessions · .*paused/);
  });

  it("continues when the daemon is back, and does not start one itself", async () => {
    const { home, pane, server } = await openBoard({ count: 3 });
    await pane.see(/● live/);
    await server.close();
    await pane.see(/○ offline[\s\S]*the daemon is not running; reconnecting/);
    // The board resumes where its stream ended, so new events must come after that.
    const back = await startBoardServer(home, boardSessions(3));
    back.show(boardSessions(60));
    await pane.see(/60 sessions[\s\S]*● live/);
  });

  it("follows the terminal's size and says if it is too small", async () => {
    const { pane } = await openBoard({ count: 60 });
    await pane.see(/Needs you/);
    pane.resize(50, 12);
    await pane.see(/This terminal is 50×12\.\nThe board needs 80×20/);
    pane.resize(200, 50);
    await pane.see(/Needs you[\s\S]*│/);
    expectToFit(pane.rows(), 200, 50);
  });

  it("restores the terminal: after q, after SIGTERM, while suspended", async () => {
    const { pane } = await openBoard({ count: 3, command: "exec bash --norc -i" });
    const start = async (): Promise<void> => {
      await pane.see(/[$#]\s*$/);
      pane.type(board);
      pane.press("Enter");
      await pane.see(/Needs you/);
    };
    const expectBack = async (): Promise<void> => {
      await until("the first screen", () => pane.ask("#{alternate_on} #{cursor_flag} #{wrap_flag}") === "0 1 1");
      pane.type("echo $((6 * 7)) $(stty -a | grep -o -- '-\\?icanon\\|-\\?echo ')");
      pane.press("Enter");
      await pane.see(/\n42 icanon echo\s*\n/);
      pane.type("clear");
      pane.press("Enter");
    };
    await start();
    pane.press("C-z");
    await expectBack();
    pane.type("fg");
    pane.press("Enter");
    await pane.see(/Needs you/);
    pane.press("j");
    await pane.see(/── 2 of 3 ─/);
    pane.press("q");
    await expectBack();
    await start();
    const shell = pane.ask("#{pane_pid}");
    const pid = spawnSync("ps", ["-o", "pid=", "--ppid", shell], { encoding: "utf8" }).stdout.trim();
    process.kill(Number(pid), "SIGTERM");
    await expectBack();
  });
});

it.skipIf(!hasTmux).each([
  [80, 24],
  [60, 20],
  [40, 20],
])("ao list fits a terminal of %d×%d", async (columns, rows) => {
  const { pane } = await openBoard({ count: 12, columns, rows, command: `${board} list; exec sleep 100` });
  const text = await pane.see(/12 sessions · 3 need you/);
  expectToFit(pane.rows(), columns, rows);
  expect(pane.rows()[0]).toMatch(/^# {4}STATUS +TASK/);
  expect(text.match(/^@\d+ /gm)).toHaveLength(12);
});

it("needs a terminal, and says what works without one", () => {
  const { status, stderr } = spawnSync(process.execPath, [main, "top"], { encoding: "utf8" });
  expect(stderr).toBe("error: the board needs a terminal\nhint: `ao list` prints the sessions.\n");
  expect(status).toBe(2);
});
