import { createHash, randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Capabilities, Driver, DriverSetup, Usage } from "../../driver.ts";
import { type Child, startChild } from "../../kit/child.ts";
import { composeArguments, composeEnvironment, takesBrief } from "./arguments.ts";
import { type ClaudeEvent, type EventOf, parseEvent, type Result } from "./events.ts";
import { createInquiries } from "./inquiries.ts";
import { narrate, narrateResults, narrateRetry } from "./narrate.ts";
import { createReceipt } from "./receipt.ts";
import { parseSettings } from "./settings.ts";
import { createClaudeTerminal } from "./terminal/terminal.ts";
import { openTranscript, type Transcript } from "./transcript.ts";
import { readEnd } from "./turn-end.ts";
import { LAST_TOLD, readUsage } from "./usage.ts";

const CAPABILITIES: Capabilities = {
  midTurn: true,
  resume: true,
  continues: false,
  permissions: true,
  usage: true,
  brief: true,
  reasons: true,
};
const GRACE_MS = 5000;
const OPEN_LIMIT_MS = 120_000;

/** Claude Code by its own protocol (JSON lines both ways, in one process for all turns), or in a terminal. */
export function createClaudeDriver(setup: DriverSetup): Driver {
  return setup.screen === null ? createClaudeByLines(setup) : createClaudeTerminal(setup, setup.screen);
}

function createClaudeByLines(setup: DriverSetup): Driver {
  const { report, notes } = setup;
  const settings = parseSettings(setup.settings);
  const env = composeEnvironment(setup.env);
  let child: Child | null = null;
  let conversation = "";
  let transcript: Transcript = openTranscript("", env);
  let isClosing = false;
  let isInterrupted = false;
  let resetsAt: Date | null = null;
  let cost = 0;
  let model: string | null = null;
  let lastMessage: string | null = notes.get(LAST_TOLD);
  let isRunning = false;
  const receipt = createReceipt({
    isSaved: (uuid) => transcript.has(uuid),
    onAccepted: (promptId) => {
      isRunning = true;
      report.accepted(promptId);
    },
  });

  const send = (message: Readonly<Record<string, unknown>>): void => child?.send(JSON.stringify(message));
  const inquiries = createInquiries(report, send, setup.cwd);

  const open = async (known: string | null): Promise<void> => {
    conversation = known ?? randomUUID();
    report.conversation(conversation);
    transcript = openTranscript(conversation, env);
    const isKnown = transcript.exists();
    if (isKnown) tellLost();
    const args = composeArguments(settings, { conversation, isKnown, briefFile: setup.brief?.path ?? null });
    const [program = "", ...leading] = settings.command;
    const started = startChild({ program, args: [...leading, ...args], cwd: setup.cwd, env, onLine });
    child = started;
    send({ type: "control_request", request_id: "open", request: { subtype: "initialize" } });
    const isOpen = new Promise<"open">((resolve) => {
      opened = () => resolve("open");
    });
    const first = await Promise.race([isOpen, started.ended, pause(OPEN_LIMIT_MS, "late" as const, { ref: false })]);
    if (first === "late") throw new Error(`Claude Code (${program}) did not answer within ${OPEN_LIMIT_MS / 1000} s.`);
    if (first !== "open") throw new Error(describeEnd(program, first));
    void started.ended.then((end) => (isClosing ? undefined : report.gone(describeEnd(program, end))));
  };
  let opened = (): void => undefined;

  // Model calls of a turn that was cut off are in no result; the program does not say what they cost.
  const tellLost = (): void => {
    const { usages, last } = transcript.usedAfter(lastMessage);
    tellUsage(last, usages);
  };

  const tellUsage = (last: string | null, usages: readonly Usage[]): void => {
    lastMessage = last;
    if (last !== null) notes.set(LAST_TOLD, last);
    for (const usage of usages) report.used(usage);
  };

  const onLine = (line: string): void => {
    const event = parseEvent(line);
    if (event !== null) hear(event);
  };

  const hear = (event: ClaudeEvent): void => {
    switch (event.type) {
      case "assistant":
        // What sub-agents use is in the result of the turn, and their messages are in transcripts of their own.
        if (event.parent_tool_use_id == null && event.message.model !== "<synthetic>") {
          lastMessage = event.message.id;
          model = event.message.model || null;
        }
        narrate(event.message.content, report);
        break;
      case "user":
        if (event.isReplay && event.uuid !== undefined) receipt.heard(event.uuid);
        narrateResults(event.message.content, report);
        break;
      case "command_lifecycle":
        if (event.state === "started") receipt.heard(event.command_uuid);
        break;
      case "system":
        narrateRetry(event, report);
        break;
      case "rate_limit_event":
        resetsAt = readReset(event);
        break;
      case "control_request":
        inquiries.hear(event);
        break;
      case "control_cancel_request":
        inquiries.cancel(event.request_id);
        break;
      case "control_response":
        if (event.response.request_id === "open" && event.response.subtype === "success") opened();
        break;
      case "result":
        hearResult(event);
        break;
    }
  };

  const hearResult = (result: Result): void => {
    receipt.settle(result.user_message_uuids);
    const usages = readUsage(result, { costBefore: cost, model });
    cost = result.total_cost_usd;
    tellUsage(lastMessage, usages);
    inquiries.clear();
    const end = readEnd(result, { isInterrupted, resetsAt });
    isInterrupted = false;
    isRunning = false;
    report.ended(end);
  };

  return {
    capabilities: { ...CAPABILITIES, brief: takesBrief(settings) },
    open,
    recall: async (promptId) => transcript.recall(uuidOf(conversation, promptId)),
    prompt: ({ id, text }) => {
      const uuid = uuidOf(conversation, id);
      receipt.await(id, uuid, isRunning);
      send({ type: "user", uuid, message: { role: "user", content: [{ type: "text", text }] } });
    },
    answer: inquiries.answer,
    interrupt: () => {
      isInterrupted = true;
      send({ type: "control_request", request_id: randomUUID(), request: { subtype: "interrupt" } });
    },
    close: async () => {
      isClosing = true;
      receipt.close();
      await child?.end(GRACE_MS);
    },
  };
}

function readReset({ rate_limit_info: { status, resetsAt } }: EventOf<"rate_limit_event">): Date | null {
  return status === "rejected" && resetsAt !== undefined ? new Date(resetsAt * 1000) : null;
}

/** The same prompt of the same conversation has the same uuid in every process, and so in the transcript. */
function uuidOf(conversation: string, promptId: string): string {
  const hex = createHash("sha256").update(`${conversation}\n${promptId}`).digest("hex");
  const variant = ((Number.parseInt(hex[16] ?? "0", 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `5${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}

function describeEnd(program: string, end: { readonly how: string; readonly stderr: string }): string {
  const last = end.stderr.split("\n").at(-1) ?? "";
  return `Claude Code (${program}) is gone: ${end.how}${last === "" ? "" : `: ${last}`}`;
}
