import { join } from "node:path";
import type { Capabilities, Driver, DriverSetup, Prompt, TurnEnd } from "../../driver.ts";
import { openHistory } from "../../kit/history.ts";
import { CLOSED, createRpc, type Rpc, RpcError } from "../../kit/rpc.ts";
import { openVendorUi, type VendorUi } from "../../kit/vendor-ui.ts";
import { createApprovals } from "./approvals.ts";
import { type Connection, connectByPipes, connectBySocket } from "./connection.ts";
import { openThread } from "./handshake.ts";
import { describeToolUse, toToolResult, toToolUse } from "./items.ts";
import { type Item, type Notice, parseNotice, type RateLimits, type Turn, TurnAnswer } from "./messages.ts";
import { openPast, type Past } from "./past.ts";
import { parseSettings } from "./settings.ts";
import { describeError, isLimit, readEnd } from "./turn-end.ts";
import { createMeter } from "./usage.ts";

const CAPABILITIES: Capabilities = {
  midTurn: false,
  resume: true,
  continues: false,
  permissions: true,
  usage: true,
  brief: true,
  reasons: false,
};
const GRACE_MS = 5000;
/** For its interface: nothing that would ask a person before the thread is shown, and no process that stays. */
const QUIET = ["-c", "check_for_update_on_startup=false", "-c", "features.daemon_auto_start=false"];

interface Running {
  /** Null: a person began it, in the terminal. */
  readonly promptId: string | null;
  /** Null until the program has told it. */
  id: string | null;
  isInterrupted: boolean;
  lastWords: string;
}

/**
 * Codex by its own protocol: `codex app-server`, JSON lines both ways, in one process for all turns. In a terminal its own
 * interface is a second client of that process, for people; prompts are never typed there.
 */
export function createCodexDriver(setup: DriverSetup): Driver {
  const { report, cwd, env, screen } = setup;
  const settings = parseSettings(setup.settings);
  const [program = "", ...leading] = settings.command;
  const isEnclosed = env["AO_SANDBOX"] !== undefined;
  const place = { cwd, home: env["HOME"] ?? "", isShared: screen !== null };
  const approvals = createApprovals(settings, place, report);
  const history = openHistory(join(setup.folder, "prompts.jsonl"));
  const meter = createMeter(setup.notes, report.usedInAll);
  const given = new Set<string>();
  let connection: Connection | null = null;
  let shown: VendorUi | null = null;
  let threadId: string | null = null;
  let isOpen = false;
  let isClosing = false;
  let turn: Running | null = null;
  let limits: RateLimits | null = null;
  /** Of an earlier process; null: there is none. */
  let past: Past | null = null;

  const rpc: Rpc = createRpc({
    send: (line) => connection?.send(line),
    onNotice: (method, params) => {
      const notice = parseNotice(method, params, threadId);
      if (notice !== null && !isClosing) hear(notice);
    },
    onAsked: approvals.ask,
  });

  const hear = (notice: Notice): void => {
    switch (notice.method) {
      case "turn/started":
        if (turn === null && screen !== null) turn = beginForeign();
        if (turn !== null) begin(turn, notice.params.turn.id);
        break;
      case "turn/completed":
        complete(notice.params.turn);
        break;
      case "item/started":
        hearItem(notice.params.item);
        break;
      case "item/completed":
        hearEnd(notice.params.item);
        break;
      case "thread/tokenUsage/updated":
        meter.add(notice.params.tokenUsage.total);
        break;
      case "account/rateLimits/updated":
        limits = notice.params.rateLimits;
        break;
      case "serverRequest/resolved":
        approvals.forget(notice.params.requestId);
        break;
      case "error":
        hearError(notice.params);
        break;
    }
  };

  const beginForeign = (): Running => {
    report.working();
    return { promptId: null, id: null, isInterrupted: false, lastWords: "" };
  };

  const begin = (running: Running, id: string): void => {
    if (running.id !== null) return;
    running.id = id;
    if (running.isInterrupted) interrupt(running);
  };

  const hearItem = (item: Item): void => {
    approvals.learn(item);
    const use = toToolUse(item);
    if (use === null || turn === null) return;
    report.tool(use);
    report.working(describeToolUse(use).split("\n")[0]);
  };

  // A message of ours is in the program's records when it says so.
  const hearEnd = (item: Item): void => {
    const { type, clientId, text } = item;
    if (type === "userMessage" && clientId != null && clientId === turn?.promptId) report.accepted(clientId);
    else if (type === "userMessage") report.typed(textOf(item));
    else report.toolResult(item.id, toToolResult(item));
    if (type !== "agentMessage" || turn === null || !text) return;
    turn.lastWords = text;
    report.said(text);
  };

  const hearError = ({ error, willRetry }: Extract<Notice, { method: "error" }>["params"]): void => {
    if (!willRetry) return;
    const note = `${describeError(error)}; it tries again.`;
    if (isLimit(error)) report.limited(null, note);
    else report.working(note);
  };

  const complete = (done: Turn): void => {
    if (turn === null || (turn.id !== null && turn.id !== done.id)) return;
    end(readEnd(done, { lastWords: turn.lastWords, limits }));
  };

  const end = (how: TurnEnd): void => {
    turn = null;
    approvals.clear();
    report.ended(how);
  };

  const open = async (known: string | null): Promise<void> => {
    const path = join(setup.folder, "codex.sock");
    const spec = { program, args: leading, cwd, env, onLine: (line: string) => void rpc.take(line) };
    const { startLimitMs: limitMs } = settings;
    const opening = screen === null ? connectByPipes(spec) : await connectBySocket(spec, { path, limitMs });
    connection = opening;
    void opening.ended.then((reason) => {
      rpc.close(reason);
      if (!isClosing && isOpen) report.gone(reason);
    });
    // Its counts come before the answer.
    threadId = known;
    const opened = await openThread({ rpc, settings, cwd, known, isEnclosed, brief: setup.brief?.text ?? null });
    threadId = opened.threadId;
    report.conversation(threadId);
    meter.use(opened.model);
    if (opened.past === "loaded") past = openPast(rpc, threadId);
    if (opened.past === "lost") {
      history.lost();
      meter.reset();
      const what = `Codex did not find its earlier conversation (${opened.reason})`;
      report.said(`${what}; starting a new one that gets the earlier messages.`);
    }
    isOpen = true;
    if (screen === null) return;
    // The interface finds threads on the disk alone, where one is put by its first prompt or by its name.
    if (opened.past !== "loaded") await rpc.request("thread/name/set", { threadId, name: env["AO_SESSION"] ?? "ao" });
    const isBusy = (): boolean => turn !== null;
    const args = [...leading, "resume", "--remote", `unix://${path}`, threadId, ...QUIET];
    shown = openVendorUi({ screen, title: "Codex", program, args, cwd, env, report, isBusy });
  };

  const prompt = (next: Prompt): void => {
    const text = history.compose(next);
    history.add(next);
    given.add(next.id);
    past?.add(next.id);
    const running: Running = { promptId: next.id, id: null, isInterrupted: false, lastWords: "" };
    turn = running;
    const input = [{ type: "text", text, text_elements: [] }];
    rpc.request("turn/start", { threadId, clientUserMessageId: next.id, input }).then(
      (answer) => {
        const id = TurnAnswer.safeParse(answer).data?.turn.id;
        if (id !== undefined) begin(running, id);
      },
      (error: unknown) => {
        // The end of the process is told by itself, and the turn goes on in the next one.
        if (turn !== running || !(error instanceof RpcError) || error.code === CLOSED) return;
        end({ kind: "failed", reason: `Codex failed: ${error.message}` });
      },
    );
  };

  const interrupt = ({ id }: Running): void => {
    // What comes of it is told by the end of the turn.
    rpc.request("turn/interrupt", { threadId, turnId: id }).catch(() => undefined);
  };

  return {
    capabilities: CAPABILITIES,
    open,
    recall: async (promptId) => past?.recall(promptId) ?? { kind: given.has(promptId) ? "unknown" : "absent" },
    prompt,
    answer: approvals.answer,
    interrupt: () => {
      if (turn === null) return;
      turn.isInterrupted = true;
      if (turn.id !== null) interrupt(turn);
    },
    close: async () => {
      isClosing = true;
      await shown?.end(GRACE_MS);
      // A server that others may share waits for its turns before it ends.
      if (screen !== null && turn !== null) interrupt(turn);
      await connection?.end(GRACE_MS);
    },
  };
}

function textOf({ content }: Item): string {
  return content.map(({ text }) => text ?? "").join(" ");
}
