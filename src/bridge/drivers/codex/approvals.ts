import { judge } from "../../kit/policy.ts";
import { type Step, step } from "../../kit/reducer.ts";
import { METHOD_NOT_FOUND } from "../../kit/rpc.ts";
import { describeTool } from "../../kit/tool.ts";
import { ALWAYS, offersAlways, toChange, toCommand, toPermission, toQuestion } from "./approval-question.ts";
import { ApprovalRequest, InputRequest, type Item } from "./messages.ts";
import type { Approvals, CodexRequest, OpenRequest, RequestId, Rules, VendorRequest } from "./state.ts";
import { UNUSED_REQUESTS } from "./unused.ts";

type ApprovalStep = Step<Approvals, CodexRequest>;

const INVALID_PARAMS = -32602;
const MORE_RIGHTS = "item/permissions/requestApproval";
const ELICITATION = "mcpServer/elicitation/request";

/** Handles a request of the program: the policy or a person answers it. */
export function takeRequest(approvals: Approvals, rules: Rules, request: VendorRequest): ApprovalStep {
  switch (request.method) {
    case "item/commandExecution/requestApproval":
    case "item/fileChange/requestApproval":
      return askPermission(approvals, rules, request);
    case "item/tool/requestUserInput":
      return askInput(approvals, request);
    case MORE_RIGHTS:
    case ELICITATION:
      return rules.isShared ? leaveToUi(approvals, request) : step(approvals, [], [decline(request)]);
    default:
      return takeUnknown(approvals, rules, request);
  }
}

function askPermission(approvals: Approvals, rules: Rules, asked: VendorRequest): ApprovalStep {
  const request = ApprovalRequest.safeParse(asked.params).data;
  if (request === undefined) return step(approvals, [], [invalid(asked)]);
  const isFile = asked.method.startsWith("item/fileChange/");
  const tool = isFile ? toChange(request, approvals.changes[request.itemId] ?? []) : toCommand(request);
  const verdict = judge(rules.settings, tool, rules);
  if (verdict !== "ask") {
    const decision = verdict === "allow" ? "accept" : "decline";
    const answer: CodexRequest = { kind: "respond", requestId: asked.id, result: { decision } };
    return step(approvals, verdict === "deny" ? [["noted", `denied by the policy: ${describeTool(tool)}`]] : [], [
      answer,
    ]);
  }
  const { questionId } = asked;
  const open = { kind: "permission", requestId: asked.id, questionId, hasAlways: offersAlways(request) } as const;
  const question = toPermission(questionId, request, { tool, cwd: rules.cwd });
  return step({ ...approvals, open: [...approvals.open, open] }, [["asked", question]]);
}

function askInput(approvals: Approvals, asked: VendorRequest): ApprovalStep {
  const request = InputRequest.safeParse(asked.params).data;
  if (request === undefined) return step(approvals, [], [invalid(asked)]);
  if (request.questions.length === 0) {
    return step(approvals, [], [{ kind: "respond", requestId: asked.id, result: { answers: {} } }]);
  }
  const named = request.questions.map((question, n) => ({ question, questionId: `${asked.questionId}-${n}` }));
  const questions = named.map(({ question, questionId }) => ({ id: question.id, questionId }));
  const open = { kind: "input", requestId: asked.id, questions } as const;
  return step(
    { ...approvals, open: [...approvals.open, open] },
    named.map(({ question, questionId }) => ["asked", toQuestion(questionId, question)] as const),
  );
}

// Only the program's own interface can answer it.
function leaveToUi(approvals: Approvals, { id }: VendorRequest): ApprovalStep {
  return step({ ...approvals, left: [...approvals.left, id] }, [["stuck", "Codex asks something in its terminal."]]);
}

// If a person has the program's own interface, that may know how to handle it.
function takeUnknown(approvals: Approvals, { isShared }: Rules, { id, method, params }: VendorRequest): ApprovalStep {
  const message = `${method} is not offered`;
  const refusal: CodexRequest = { kind: "refuse", requestId: id, code: METHOD_NOT_FOUND, message };
  const isNews = !UNUSED_REQUESTS.has(method);
  return step(approvals, isNews ? [["unknown", { kind: method, body: params }]] : [], isShared ? [] : [refusal]);
}

// The policy's rights are never exceeded.
function decline({ id, method }: VendorRequest): CodexRequest {
  const result =
    method === MORE_RIGHTS ? { permissions: {}, scope: "turn" } : { action: "decline", content: null, _meta: null };
  return { kind: "respond", requestId: id, result };
}

function invalid({ id }: VendorRequest): CodexRequest {
  return { kind: "refuse", requestId: id, code: INVALID_PARAMS, message: "The question is not of the known form." };
}

/** Handles a person's answer; ignores it if the question is closed. */
export function answerQuestion(approvals: Approvals, questionId: string, choice: string): ApprovalStep {
  const request = approvals.open.find((one) => idsOf(one).includes(questionId));
  if (request === undefined) return step(approvals);
  const answers = { ...approvals.answers, [questionId]: choice };
  if (!idsOf(request).every((id) => answers[id] !== undefined)) return step({ ...approvals, answers });
  const answer: CodexRequest = {
    kind: "respond",
    requestId: request.requestId,
    result: toResponse(request, answers),
  };
  return step(without(approvals, request), [], [answer]);
}

function toResponse(request: OpenRequest, answers: Approvals["answers"]): object {
  if (request.kind === "permission") return { decision: decide(answers[request.questionId] ?? "", request.hasAlways) };
  const given = request.questions.map(({ id, questionId }) => [id, { answers: [answers[questionId] ?? ""] }] as const);
  return { answers: Object.fromEntries(given) };
}

function decide(choice: string, hasAlways: boolean): string {
  const wanted = choice.trim().toLowerCase();
  if (wanted === ALWAYS && hasAlways) return "acceptForSession";
  return wanted === "allow" ? "accept" : "decline";
}

/** Records what an item changes. */
export function learnChanges(approvals: Approvals, { type, id, changes }: Item): Approvals {
  return type === "fileChange" ? { ...approvals, changes: { ...approvals.changes, [id]: changes } } : approvals;
}

/** The program no longer waits for this one. */
export function withdrawRequest(approvals: Approvals, requestId: RequestId): ApprovalStep {
  const request = approvals.open.find((one) => one.requestId === requestId);
  const isLeft = approvals.left.includes(requestId);
  const rest = request === undefined ? approvals : without(approvals, request);
  return step({ ...rest, left: rest.left.filter((id) => id !== requestId) }, [
    ...(request === undefined ? [] : idsOf(request)).map((id) => ["withdrawn", id] as const),
    ...(isLeft ? ([["working"]] as const) : []),
  ]);
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

function idsOf(request: OpenRequest): readonly string[] {
  return request.kind === "permission" ? [request.questionId] : request.questions.map(({ questionId }) => questionId);
}
