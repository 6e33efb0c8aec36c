import { andThen, lift, type Step, step } from "../../kit/reducer.ts";
import { describeTool } from "../../kit/tool.ts";
import type { ToolCall } from "./messages.ts";
import { withdraw } from "./permissions.ts";
import type { AcpRequest, AcpState } from "./state.ts";
import { mergeTool, toToolResult, toToolUse } from "./tools.ts";

/** Maximum number of remembered tools; a conversation has more, but messages about one call are close together. */
const MAX_TOOLS = 1000;

/** Merges a message into what is known about a tool, and reports the tool once, as soon as it is clear what it does. */
export function showTool(
  state: AcpState,
  call: ToolCall,
  how: { readonly isAsked: boolean; readonly commandInTitle: boolean },
): Step<AcpState, AcpRequest> {
  const tool = mergeTool(state.tools.get(call.toolCallId), call, how.commandInTitle);
  const others = state.tools.size > MAX_TOOLS ? [] : state.tools;
  const known = { ...state, tools: new Map([...others, [tool.id, tool]]) };
  const isOver = !how.isAsked && (tool.status === "completed" || tool.status === "failed");
  const isClear = tool.command !== null || tool.status !== "pending" || how.isAsked;
  const isNew = isClear && !state.shown.has(tool.id);
  const first: Step<AcpState, AcpRequest> = isOver
    ? lift(known, "questions", withdraw(known.questions, tool.id))
    : step(known);
  return andThen(first, (now) => ({
    state: isNew ? { ...now, shown: new Set([...now.shown, tool.id]) } : now,
    reports: [
      ...(isNew ? [["tool", toToolUse(tool)] as const] : []),
      ...(isNew && !how.isAsked ? [["working", describeTool(tool).split("\n")[0]] as const] : []),
      ...(isOver ? [["toolResult", tool.id, toToolResult(tool, call)] as const] : []),
    ],
    requests: [],
  }));
}
