import type { Report } from "../../driver.ts";
import type { EventOf } from "./events.ts";
import { describeTool } from "./permission.ts";

/** Tells what the agent says and does. */
export function narrate({ message }: EventOf<"assistant">, report: Pick<Report, "said" | "did" | "working">): void {
  for (const block of message.content) {
    if (block.type === "text" && block.text) report.said(block.text);
    if (block.type !== "tool_use") continue;
    const what = describeTool(block.name ?? "tool", block.input);
    report.did(what);
    report.working(what.split("\n")[0] ?? what);
  }
}

/** Tells that a request failed and will be tried again. */
export function narrateRetry(event: EventOf<"system">, report: Pick<Report, "limited" | "working">): void {
  if (event.subtype !== "api_retry") return;
  const { error_status: status, error, attempt, max_retries: of, retry_delay_ms: delay } = event;
  const note = `The model service answered ${status ?? "not at all"} (${error}); try ${attempt} of ${of} follows.`;
  if (status === 429 || status === 529) report.limited(new Date(Date.now() + delay), note);
  else report.working(note);
}
