import type {
  InitializeRequest,
  InitializeResponse,
  NewSessionResponse,
  PromptResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionUpdate,
} from "@agentclientprotocol/sdk";
import { describe, expect, it } from "vitest";
import { HELLO } from "./handshake.ts";
import { Initialized, PromptAnswer, parsePermissionRequest, parseUpdate, SessionState } from "./messages.ts";
import { select } from "./permissions.ts";

// Each value has a type from the protocol's own package, so the compiler notices when the protocol changes.
const content = { type: "text", text: "words" } as const;
const tool = { toolCallId: "t", title: "Run", kind: "execute", status: "pending" } as const;

type Kind = SessionUpdate["sessionUpdate"];
const UPDATES: { readonly [K in Kind]: Extract<SessionUpdate, { readonly sessionUpdate: K }> } = {
  user_message_chunk: { sessionUpdate: "user_message_chunk", content },
  agent_message_chunk: { sessionUpdate: "agent_message_chunk", content },
  agent_thought_chunk: { sessionUpdate: "agent_thought_chunk", content },
  tool_call: { sessionUpdate: "tool_call", ...tool, rawInput: { command: "ls" }, locations: [{ path: "/w/a" }] },
  tool_call_update: {
    sessionUpdate: "tool_call_update",
    toolCallId: "t",
    status: "completed",
    content: [
      { type: "content", content },
      { type: "diff", path: "/w/a", oldText: null, newText: "b" },
    ],
  },
  plan: { sessionUpdate: "plan", entries: [{ content: "read", priority: "high", status: "in_progress" }] },
  available_commands_update: { sessionUpdate: "available_commands_update", availableCommands: [] },
  current_mode_update: { sessionUpdate: "current_mode_update", currentModeId: "m" },
  config_option_update: { sessionUpdate: "config_option_update", configOptions: [] },
  session_info_update: { sessionUpdate: "session_info_update", title: "t" },
  notice: { sessionUpdate: "notice", severity: "warning", title: "Slow", description: "The service is slow." },
  compaction_update: { sessionUpdate: "compaction_update", compactionId: "c", status: "completed" },
  compaction_summary_chunk: { sessionUpdate: "compaction_summary_chunk", compactionId: "c", content },
  usage_update: { sessionUpdate: "usage_update", used: 1, size: 2, cost: { amount: 0.5, currency: "USD" } },
};

describe("the Agent Client Protocol, by the types of its own package", () => {
  it.each(Object.values(UPDATES))("$sessionUpdate is a known update", (update) => {
    const read = parseUpdate({ sessionId: "s", update }, "s");
    expect(read === null || "sessionUpdate" in read).toBe(true);
  });

  it("a permission is parsed with its tool and options", () => {
    const request: RequestPermissionRequest = {
      sessionId: "s",
      toolCall: tool,
      options: [{ optionId: "o", name: "Once", kind: "allow_once" }],
    };
    expect(parsePermissionRequest(request)).toMatchObject({ toolCall: tool, options: request.options });
  });

  it("the answers to our requests are parsed", () => {
    const initialized: InitializeResponse = { protocolVersion: 1, agentCapabilities: { loadSession: true } };
    const session: NewSessionResponse = {
      sessionId: "s",
      modes: { currentModeId: "m", availableModes: [{ id: "m", name: "M" }] },
    };
    const prompted: PromptResponse = { stopReason: "end_turn" };
    expect(Initialized.parse(initialized)).toMatchObject(initialized);
    expect(SessionState.parse(session)).toMatchObject(session);
    expect(PromptAnswer.parse(prompted)).toMatchObject(prompted);
  });

  it("our messages have the right form", () => {
    const hello: InitializeRequest = HELLO;
    const selected = select(1, "o").result satisfies RequestPermissionResponse;
    const cancelled = select(1, null).result satisfies RequestPermissionResponse;
    expect([hello.protocolVersion, selected.outcome, cancelled.outcome]).toEqual([
      1,
      { outcome: "selected", optionId: "o" },
      { outcome: "cancelled" },
    ]);
  });
});
