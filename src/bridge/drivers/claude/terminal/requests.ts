import { type ReportCall, type Step, step } from "../../../kit/reducer.ts";
import { addInquiry, answerInquiry, dropInquiry, type Inquiries } from "../inquiries.ts";
import { type Inquiry, inquire, respond } from "../permission.ts";
import type { HookEvent } from "./hooks.ts";
import type { OwnStatus } from "./own-status.ts";
import type { HookNotice, HookRequest, TerminalRequest } from "./state.ts";

type Requests = Inquiries<HookRequest>;
type RequestsStep = Step<Requests, TerminalRequest>;

/** The questions for people in an event, if it is a request for permission. */
export function readInquiry(event: HookEvent, requestId: string, cwd: string): Inquiry | null {
  if (event.hook_event_name !== "PermissionRequest") return null;
  const { tool_name, tool_input: input, permission_suggestions } = event;
  return inquire(requestId, { subtype: "can_use_tool", tool_name, input, permission_suggestions }, cwd);
}

/** A tool waits for permission. */
export function ask(requests: Requests, { n, event, inquiry, now }: HookNotice): RequestsStep {
  if (inquiry === null) return step(requests);
  const isCrowded = requests.open.length > 0;
  const others = requests.open.map((one) => ({ ...one, isCrowded }));
  const request = { ...inquiry, n, tool: toolOf(event), askedAt: now, isCrowded };
  const asked = inquiry.questions.map((question): ReportCall => ["asked", question]);
  return step(addInquiry({ ...requests, open: others }, request), asked);
}

/** Handles a person's answer: a request's script continues once all its questions are answered. */
export function answer(requests: Requests, questionId: string, choice: string): RequestsStep {
  const { inquiries, complete, answers } = answerInquiry(requests, questionId, choice);
  if (complete === null) return step(inquiries);
  const decision = respond(complete, answers);
  const said = JSON.stringify({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision } });
  return step(inquiries, [], [{ kind: "release", n: complete.n, answer: said }]);
}

/** A tool ran or was refused, so its question is closed. */
export function closeFor(requests: Requests, event: HookEvent): RequestsStep {
  const request = requests.open.find(({ tool }) => tool === toolOf(event));
  return request === undefined ? step(requests) : withdraw(requests, [request]);
}

/** The program became busy after a question, so the question was answered. */
export function closeAnswered(requests: Requests, { status, since }: OwnStatus): RequestsStep {
  if (status !== "busy") return step(requests);
  return withdraw(
    requests,
    requests.open.filter(({ askedAt, isCrowded }) => since > askedAt && !isCrowded),
  );
}

/** The turn continued without the answers. */
export function closeAll(requests: Requests): RequestsStep {
  return withdraw(requests, requests.open);
}

function withdraw(requests: Requests, over: readonly HookRequest[]): RequestsStep {
  return step(
    over.reduce<Requests>(dropInquiry, requests),
    over.flatMap(({ questions }) => questions.map(({ id }): ReportCall => ["withdrawn", id])),
    over.map(({ n }) => ({ kind: "release", n, answer: null })),
  );
}

function toolOf({ tool_name, tool_input }: HookEvent): string {
  return JSON.stringify([tool_name, tool_input]);
}
