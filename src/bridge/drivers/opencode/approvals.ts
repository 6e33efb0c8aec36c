import type { Report } from "../../driver.ts";
import { describeOptions, describeWanted } from "../../kit/permission-question.ts";
import { describeTool } from "../../kit/tool.ts";
import type { Api } from "./api.ts";
import type { Part, PermissionRequest, QuestionRequest } from "./messages.ts";
import { decide, type OwnRule } from "./rules.ts";
import type { Settings } from "./settings.ts";
import { toTool } from "./tools.ts";

/** The program's questions: answered by the policy, by a person through `ao`, or by one at its screen. */
export interface Approvals {
  ask(request: PermissionRequest): void;
  askOwn(request: QuestionRequest): void;
  answer(questionId: string, choice: string): void;
  /** What a call does; its question does not always say it. */
  learn(part: Part): void;
  /** The program waits no longer for this one. */
  forget(requestId: string): void;
  /** The turn is over, and its questions with it. */
  clear(): void;
}

export interface ApprovalsOptions {
  readonly settings: Settings;
  readonly place: { readonly cwd: string; readonly home: string };
  readonly report: Pick<Report, "asked" | "withdrawn" | "noted">;
  readonly api: Api;
  /** Entries of the user's own configuration. */
  readonly own: readonly OwnRule[];
}

interface Open {
  readonly requestId: string;
  readonly ids: readonly string[];
  respond(answers: readonly string[]): void;
}

const ALWAYS = "allow always";
const BY_POLICY = "The policy of this session does not allow it. Find another way.";

/** Makes the list of open questions of a session. */
export function createApprovals({ settings, place, report, api, own }: ApprovalsOptions): Approvals {
  const open = new Map<string, Open>();
  const answers = new Map<string, string>();
  const inputs = new Map<string, Readonly<Record<string, unknown>>>();
  /** Commands that were allowed, by their calls: one that leaves the workspace is asked about twice. */
  const allowed = new Map<string, string>();

  // A question that is no more is answered in vain.
  const post = (path: string, body: object): void => void api.post(path, body).catch(() => undefined);

  // Without words a refusal would end the whole turn.
  const reply = (requestId: string, answer: "once" | "always" | "reject", message = ""): void =>
    post(`/permission/${requestId}/reply`, { reply: answer, ...(answer === "reject" ? { message } : {}) });

  return {
    ask: (request) => {
      if (open.has(request.id)) return;
      const { id, permission, patterns } = request;
      const callId = request.tool?.callID ?? id;
      const tool = toTool(request, inputs.get(callId) ?? {});
      const verdict = decide(settings, own, { permission, patterns, tool }, place);
      const isKnown = tool.command !== null && allowed.get(callId) === tool.command;
      if (verdict === "deny") {
        report.noted(`denied by the policy: ${describeTool(tool)}`);
        return reply(id, "reject", BY_POLICY);
      }
      if (verdict === "allow" || isKnown) return reply(id, "once");
      const respond: Open["respond"] = ([choice = ""]) => {
        const decided = readChoice(choice);
        if (decided !== "reject" && tool.command !== null) allowed.set(callId, tool.command);
        reply(id, decided, sayNo(choice));
      };
      open.set(id, { requestId: id, ids: [id], respond });
      const hasAlways = request.always.length > 0;
      report.asked({
        id,
        kind: "permission",
        ...describeWanted({
          ...tool,
          name: "OpenCode",
          title: describeTool(tool),
          detail: tool.detail ?? null,
          note: noteOf(request),
        }),
        choices: hasAlways ? ["allow", ALWAYS, "deny"] : ["allow", "deny"],
        descriptions: hasAlways ? { [ALWAYS]: describeScope(request) } : {},
        freeText: true,
      });
    },
    askOwn: ({ id: requestId, questions }) => {
      if (open.has(requestId)) return;
      const ids = questions.map((_, n) => `${requestId}-${n}`);
      const respond: Open["respond"] = (given) =>
        post(`/question/${requestId}/reply`, { answers: given.map((answer) => [answer]) });
      open.set(requestId, { requestId, ids, respond });
      for (const [n, { question, options, custom }] of questions.entries()) {
        const choices = options.map(({ label }) => label);
        const asked = { choices, descriptions: describeOptions(options), freeText: custom };
        report.asked({ id: ids[n] ?? requestId, kind: "question", question, ...asked });
      }
    },
    answer: (questionId, choice) => {
      answers.set(questionId, choice);
      for (const { requestId, ids, respond } of open.values()) {
        if (!ids.every((id) => answers.has(id))) continue;
        open.delete(requestId);
        respond(ids.map((id) => answers.get(id) ?? ""));
        for (const id of ids) answers.delete(id);
      }
    },
    learn: ({ callID, state }) => {
      if (callID != null && state != null) inputs.set(callID, state.input);
    },
    forget: (requestId) => {
      const ids = open.get(requestId)?.ids ?? [];
      open.delete(requestId);
      for (const id of ids) report.withdrawn(id);
    },
    clear: () => {
      for (const map of [open, answers, inputs, allowed]) map.clear();
    },
  };
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
