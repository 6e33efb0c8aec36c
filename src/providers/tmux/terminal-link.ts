import type { Host } from "../../ports/host.ts";
import type { TerminalLink, TerminalLinkEvents, TerminalScreen } from "../../ports/runtime.ts";
import { plainEnvironment, type TmuxClient } from "./client.ts";
import { CONTROL_START, type ControlNotice, formatKeys, readControlLine } from "./control-mode.ts";
import { missingTerminal, notePerson, type Pane, readAttachment } from "./keyboard.ts";
import { drawScreen, parseScreenFacts, SCREEN_FORMAT } from "./screen.ts";

/** Lines of history that a new viewer gets. */
const HISTORY = 1000;
/** How far back the log is searched for modes that tmux does not report. */
const SEARCHED = 512 * 1024;

/**
 * Connects a remote viewer to a terminal: one client in control mode that gets no output (viewers read the pane's log,
 * so a slow viewer never blocks the program), sets the size and presses keys.
 */
export async function connectTerminal(
  { host, tmux }: { readonly host: Host; readonly tmux: TmuxClient },
  pane: Pane,
  events: TerminalLinkEvents,
): Promise<TerminalLink> {
  // Attaching moves the clocks with which the guard detects an abandoned draft, so record them first.
  const typedAt = await readAttachment(tmux, pane);
  if (typedAt !== null) await notePerson(host, pane, typedAt);
  let state = CONTROL_START;
  const on = (notice: ControlNotice | null): void => {
    if (notice?.kind === "size") events.size(notice.size);
    if (notice?.kind === "failed") host.log.debug("tmux refused a viewer's command", { reason: notice.text });
  };
  const client = host.processes.converse({
    program: "tmux",
    args: ["-u", "-S", tmux.socket, "-f", "/dev/null", "-C", "attach", "-f", "no-output", "-t", pane.target],
    cwd: "/",
    env: plainEnvironment(host),
    onLine: (line) => {
      const step = readControlLine(state, line);
      state = step.state;
      on(step.notice);
    },
    onEnd: events.end,
  });
  let notedAt = 0;
  return {
    screen: () => readScreen(host, tmux, pane),
    resize: ({ columns, rows }) => client.write(`refresh-client -C ${columns}x${rows}`),
    press: async (bytes) => {
      const now = Math.floor(host.clock.now() / 1000);
      // Before the keys, so that ao types nothing of its own in between.
      if (now !== notedAt) await notePerson(host, pane, now);
      notedAt = now;
      for (const command of formatKeys(pane.target, bytes)) client.write(command);
    },
    close: client.close,
  };
}

async function readScreen(host: Host, tmux: TmuxClient, pane: Pane): Promise<TerminalScreen> {
  const { target } = pane;
  const answer = await tmux.run([
    ...["display-message", "-p", "-t", target, SCREEN_FORMAT],
    ...[";", "capture-pane", "-p", "-e", "-S", `-${HISTORY}`, "-t", target],
  ]);
  const end = answer.stdout.indexOf("\n");
  const facts = parseScreenFacts(answer.stdout.slice(0, Math.max(0, end)));
  if (answer.code !== 0 || facts === null) throw missingTerminal(pane);
  const isBracketed = await isPasteBracketed(host, pane);
  return { size: facts.size, drawing: drawScreen(facts, answer.stdout.slice(end + 1), isBracketed) };
}

async function isPasteBracketed(host: Host, pane: Pane): Promise<boolean> {
  const log = Buffer.from((await host.fs.readEnd(pane.shown, SEARCHED)) ?? []);
  return log.lastIndexOf("\u001b[?2004h") > log.lastIndexOf("\u001b[?2004l");
}
