import type { Question } from "../../driver.ts";
import { describeOptions, describeWanted } from "../../kit/permission-question.ts";
import { type Step, step } from "../../kit/reducer.ts";
import { describeTool, type Tool } from "../../kit/tool.ts";
import type { PostRequest } from "./api.ts";
import type { Part, PermissionRequest, QuestionRequest } from "./messages.ts";
import { decide, type Grounds } from "./rules.ts";
import { toTool } from "./tools.ts";

/** The program's questions: answered by the policy, by a person through `ao`, or by a person at its screen. */
export interface Approvals {
  readonly open: readonly OpenRequest[];
  /** By question, while other questions of the same request are unanswered. */
  readonly answers: Readonly<Record<string, string>>;
  /** By call: its input, which its question may lack. */
  readonly inputs: Readonly<Record<string, Part["state"]>>;
  /** By call: the allowed command. The program asks twice about one that leaves the workspace. */
  readonly allowed: Readonly<Record<string, string>>;
}

type OpenRequest = OpenPermission | OpenQuestions;

interface OpenPermission {
  readonly kind: "permission";
  readonly requestId: string;
  readonly callId: string;
  readonly command: string | null;
}

interface OpenQuestions {
  readonly kind: "questions";
  readonly requestId: string;
  readonly questionIds: readonly string[];
}

type ApprovalStep = Step<Approvals, PostRequest>;

const ALWAYS = "allow always";
const BY_POLICY = "The policy of this session does not allow it. Find another way.";

export const NO_APPROVALS: Approvals = { open: [], answers: {}, inputs: {}, allowed: {} };

/** The program asks to use a tool. */
export function askPermission(approvals: Approvals, grounds: Grounds, request: PermissionRequest): ApprovalStep {
  const { id, permission, patterns } = request;
  if (isOpen(approvals, id)) return step(approvals);
  const callId = request.tool?.callID ?? id;
  const tool = toTool(request, approvals.inputs[callId]?.input ?? {});
  const verdict = decide(grounds, { permission, patterns, tool });
  if (verdict === "deny") {
    return step(
      approvals,
      [["noted", `denied by the policy: ${describeTool(tool)}`]],
      [reply(id, "reject", BY_POLICY)],
    );
  }
  const isAllowed = tool.command !== null && approvals.allowed[callId] === tool.command;
  if (verdict === "allow" || isAllowed) return step(approvals, [], [reply(id, "once")]);
  const open = { kind: "permission", requestId: id, callId, command: tool.command } as const;
  return step({ ...approvals, open: [...approvals.open, open] }, [["asked", toQuestion(request, tool)]]);
}

function toQuestion(request: PermissionRequest, tool: Tool): Question {
  const hasAlways = request.always.length > 0;
  const wanted = { ...tool, name: "OpenCode", title: describeTool(tool), detail: tool.detail ?? null };
  return {
    id: request.id,
    kind: "permission",
    ...describeWanted({ ...wanted, note: noteOf(request) }),
    choices: hasAlways ? ["allow", ALWAYS, "deny"] : ["allow", "deny"],
    descriptions: hasAlways ? { [ALWAYS]: describeScope(request) } : {},
    freeText: true,
  };
}

/** The agent asks its own questions. */
export function askQuestions(approvals: Approvals, { id: requestId, questions }: QuestionRequest): ApprovalStep {
  if (isOpen(approvals, requestId)) return step(approvals);
  if (questions.length === 0) return step(approvals, [], [replyToQuestions(requestId, [])]);
  const questionIds = questions.map((_, n) => `${requestId}-${n}`);
  const open = { kind: "questions", requestId, questionIds } as const;
  return step(
    { ...approvals, open: [...approvals.open, open] },
    questions.map(({ question, options, custom }, n) => {
      const choices = options.map(({ label }) => label);
      const asked = { question, choices, descriptions: describeOptions(options), freeText: custom };
      return ["asked", { id: questionIds[n] ?? requestId, kind: "question", ...asked }] as const;
    }),
  );
}

/** Handles a person's answer; ignores it if the question is closed. */
export function answerQuestion(approvals: Approvals, questionId: string, choice: string): ApprovalStep {
  const request = approvals.open.find((one) => idsOf(one).includes(questionId));
  if (request === undefined) return step(approvals);
  const answers = { ...approvals.answers, [questionId]: choice };
  const given = idsOf(request).flatMap((id) => answers[id] ?? []);
  if (given.length < idsOf(request).length) return step({ ...approvals, answers });
  const rest = without(approvals, request);
  if (request.kind === "permission") return answerPermission(rest, request, choice);
  return step(rest, [], [replyToQuestions(request.requestId, given)]);
}

function answerPermission(approvals: Approvals, request: OpenPermission, choice: string): ApprovalStep {
  const { requestId, callId, command } = request;
  const decided = readChoice(choice);
  const isKept = decided !== "reject" && command !== null;
  const allowed = isKept ? { ...approvals.allowed, [callId]: command } : approvals.allowed;
  return step({ ...approvals, allowed }, [], [reply(requestId, decided, sayNo(choice))]);
}

/** Records the input of a call. */
export function learnInput(approvals: Approvals, { callID, state }: Part): Approvals {
  if (callID == null || state == null) return approvals;
  return { ...approvals, inputs: { ...approvals.inputs, [callID]: state } };
}

/** The program no longer waits for this one. */
export function withdrawRequest(approvals: Approvals, requestId: string): ApprovalStep {
  const request = approvals.open.find((one) => one.requestId === requestId);
  if (request === undefined) return step(approvals);
  return step(
    without(approvals, request),
    idsOf(request).map((id) => ["withdrawn", id] as const),
  );
}

function isOpen({ open }: Approvals, requestId: string): boolean {
  return open.some((one) => one.requestId === requestId);
}

function idsOf(request: OpenRequest): readonly string[] {
  return request.kind === "permission" ? [request.requestId] : request.questionIds;
}

function without(approvals: Approvals, request: OpenRequest): Approvals {
  const ids = idsOf(request);
  const answers = Object.entries(approvals.answers).filter(([id]) => !ids.includes(id));
  return {
    ...approvals,
    open: approvals.open.filter((one) => one !== request),
    answers: Object.fromEntries(answers),
  };
}

// A refusal without text would end the whole turn.
function reply(requestId: string, answer: "once" | "always" | "reject", message = ""): PostRequest {
  const body = { reply: answer, ...(answer === "reject" ? { message } : {}) };
  return { kind: "post", path: `/permission/${requestId}/reply`, body };
}

function replyToQuestions(requestId: string, given: readonly string[]): PostRequest {
  const body = { answers: given.map((answer) => [answer]) };
  return { kind: "post", path: `/question/${requestId}/reply`, body };
}

function noteOf({ permission, patterns }: PermissionRequest): string {
  return permission === "external_directory" ? `outside of the workspace: ${patterns.join(" ")}` : "";
}

function describeScope({ permission, always }: PermissionRequest): string {
  return `${permission}: ${always.join(", ")}; until the agent's process ends`;
}

function readChoice(choice: string): "once" | "always" | "reject" {
  const wanted = choice.trim().toLowerCase();
  if (wanted === ALWAYS) return "always";
  return wanted === "allow" ? "once" : "reject";
}

function sayNo(choice: string): string {
  return choice.trim().toLowerCase() === "deny" ? "The user denied this." : `The user denied this: ${choice}`;
}
