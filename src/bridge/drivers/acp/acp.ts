import { join } from "node:path";
import type { Capabilities, Driver, DriverSetup, Prompt } from "../../driver.ts";
import { type Child, type ChildEnd, startChild } from "../../kit/child.ts";
import { openHistory } from "../../kit/history.ts";
import { type Asked, CLOSED, createRpc, METHOD_NOT_FOUND, type Rpc, RpcError } from "../../kit/rpc.ts";
import { createSpeech } from "../../kit/speech.ts";
import { describeTool, type Tool } from "../../kit/tool.ts";
import { readFailure } from "../../kit/turn-end.ts";
import { applyChoices, type HandshakeOptions, shakeHands } from "./handshake.ts";
import { PromptAnswer, parseUpdate, type ToolCall, type Update } from "./messages.ts";
import { createPermissions } from "./permissions.ts";
import { parseSettings } from "./settings.ts";
import { mergeTool, toToolResult, toToolUse } from "./tools.ts";
import { readError, readStop } from "./turn-end.ts";
import { createMeter } from "./usage.ts";

const CAPABILITIES: Capabilities = {
  midTurn: false,
  resume: true,
  continues: false,
  permissions: true,
  usage: true,
  brief: false,
  reasons: false,
};
const GRACE_MS = 5000;
const MAX_TOOLS = 1000;

interface Turn {
  readonly promptId: string;
  isAccepted: boolean;
  isInterrupted: boolean;
}

/** Any agent of the Agent Client Protocol: JSON-RPC lines both ways, in one process for all turns. */
export function createAcpDriver(setup: DriverSetup): Driver {
  const { report, cwd } = setup;
  const settings = parseSettings(setup.settings);
  const history = openHistory(join(setup.folder, "prompts.jsonl"));
  const permissions = createPermissions(settings, { cwd, home: setup.env["HOME"] ?? "" }, report);
  const meter = createMeter({
    counts: settings.usage,
    notes: setup.notes,
    model: () => model,
    report: report.used,
  });
  const speech = createSpeech(report.said);
  const tools = new Map<string, Tool>();
  const shown = new Set<string>();
  let child: Child | null = null;
  let sessionId: string | null = null;
  /** What a loaded conversation tells of its past is no news. */
  let isOpen = false;
  let isClosing = false;
  let turn: Turn | null = null;
  let model: string | null = settings.model ?? null;
  let plan = "";
  let noise = "";

  const rpc: Rpc = createRpc({
    send: (line) => child?.send(line),
    onNotice: (method, params) => {
      const update = method === "session/update" ? parseUpdate(params, sessionId) : null;
      if (update !== null) hear(update);
    },
    onAsked: (asked) => hearQuestion(asked),
  });

  const hearQuestion = (asked: Asked): void => {
    if (asked.method !== "session/request_permission") {
      asked.refuse(METHOD_NOT_FOUND, `${asked.method} is not offered`);
    } else if (turn === null) asked.respond({ outcome: { outcome: "cancelled" } });
    else {
      accept();
      speech.pause();
      permissions.ask(asked, ({ toolCall }) => show(toolCall, true));
    }
  };

  const accept = (): void => {
    if (turn === null || turn.isAccepted) return;
    turn.isAccepted = true;
    report.accepted(turn.promptId);
  };

  const hear = (update: Update): void => {
    if (!isOpen) hearPast(update);
    // It says what the conversation costs, not that a prompt is in it, and may come late.
    else if (update.sessionUpdate === "usage_update") {
      if (update.cost?.currency === "USD") meter.setCost(update.cost.amount);
    } else if (turn !== null) {
      accept();
      hearWork(update);
    }
  };

  const hearPast = (update: Update): void => {
    if (update.sessionUpdate === "user_message_chunk") history.hear(update.content.text ?? "");
  };

  const hearWork = (update: Update): void => {
    if (update.sessionUpdate === "agent_message_chunk") {
      if (update._meta?.usage != null) meter.addCall(update._meta.usage);
      speech.add(update.content.text ?? "");
      return;
    }
    speech.pause();
    if (update.sessionUpdate === "plan") hearPlan(update.entries);
    if (update.sessionUpdate === "tool_call" || update.sessionUpdate === "tool_call_update") show(update, false);
  };

  const hearPlan = (entries: readonly { readonly content: string; readonly status: string }[]): void => {
    const done = entries.filter(({ status }) => status === "completed").length;
    const now = entries.find(({ status }) => status === "in_progress")?.content;
    const text = `plan: ${done} of ${entries.length} done${now === undefined ? "" : `, now: ${now}`}`;
    if (text !== plan) report.noted(text);
    plan = text;
  };

  // A call is told once, as soon as it is known what it does.
  const show = (call: ToolCall, isAsked: boolean): Tool => {
    if (tools.size > MAX_TOOLS) tools.clear();
    const tool = mergeTool(tools.get(call.toolCallId), call, settings.commandInTitle);
    tools.set(tool.id, tool);
    const isOver = !isAsked && (tool.status === "completed" || tool.status === "failed");
    if (isOver) permissions.forget(tool.id);
    const isClear = tool.command !== null || tool.status !== "pending" || isAsked;
    if (isClear && !shown.has(tool.id)) {
      shown.add(tool.id);
      report.tool(toToolUse(tool));
      if (!isAsked) report.working(describeTool(tool).split("\n")[0]);
    }
    if (isOver) report.toolResult(tool.id, toToolResult(tool, call));
    return tool;
  };

  const open = async (known: string | null): Promise<void> => {
    const [program = "", ...args] = settings.command;
    const onLine = (line: string): void => {
      if (!rpc.take(line) && line.trim() !== "") noise = line.trim().slice(0, 200);
    };
    const started = startChild({ program, args, cwd, env: setup.env, onLine });
    child = started;
    void started.ended.then((end) => {
      rpc.close(describeEnd(end));
      if (!isClosing && isOpen) report.gone(describeEnd(end));
    });
    sessionId = known;
    const options: HandshakeOptions = { rpc, settings, cwd, known, noise: () => noise };
    const opened = await shakeHands(options);
    sessionId = opened.sessionId;
    report.conversation(sessionId, { resume: opened.canLoad });
    if (opened.past === "loaded") history.loaded();
    if (opened.past === "lost") {
      history.lost();
      meter.reset();
      const what = `${settings.name} did not find its earlier conversation (${opened.reason})`;
      report.said(`${what}; starting a new one that gets the earlier messages.`);
    }
    model = (await applyChoices(options, opened)) ?? model;
    isOpen = true;
  };

  const describeEnd = (end: ChildEnd): string => {
    const last = end.stderr.split("\n").at(-1) || noise;
    return `${settings.name} (${settings.command[0]}) is gone: ${end.how}${last === "" ? "" : `: ${last}`}`;
  };

  const prompt = (given: Prompt): void => {
    const text = history.compose(given);
    history.add(given);
    speech.begin();
    shown.clear();
    turn = { promptId: given.id, isAccepted: false, isInterrupted: false };
    // The protocol has no receipt: without this a turn whose model is slow to answer would look idle.
    report.working();
    rpc
      .request("session/prompt", { sessionId, prompt: [{ type: "text", text }] })
      .then((answer) => endWith(PromptAnswer.parse(answer ?? {})), fail);
  };

  const fail = (error: unknown): void => {
    // The end of the process is told by itself, and the turn goes on in the next one.
    if (!(error instanceof RpcError) || error.code === CLOSED) return;
    end(turn?.isInterrupted ? { kind: "interrupted" } : readError(error, settings, new Date()));
  };

  const endWith = (answer: PromptAnswer): void => {
    meter.addAnswer(answer);
    const piece = speech.lastPiece();
    const isFailure = settings.errorPrefix !== undefined && piece.startsWith(settings.errorPrefix);
    if (!isFailure || answer.stopReason === "cancelled") end(readStop(answer.stopReason, speech.last(), settings));
    else end(readFailure(piece.trim().replace(/\s*\n\s*/g, " "), settings, new Date()));
  };

  const end = (how: Parameters<typeof report.ended>[0]): void => {
    speech.pause();
    accept();
    turn = null;
    permissions.cancel();
    report.ended(how);
  };

  return {
    capabilities: CAPABILITIES,
    open,
    recall: async (promptId) => history.recall(promptId),
    prompt,
    answer: permissions.answer,
    interrupt: () => {
      if (turn === null) return;
      turn.isInterrupted = true;
      permissions.cancel();
      rpc.notify("session/cancel", { sessionId });
    },
    close: async () => {
      isClosing = true;
      await child?.end(GRACE_MS);
    },
  };
}
