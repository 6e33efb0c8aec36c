import { randomUUID } from "node:crypto";
import type { Report } from "../../driver.ts";
import { diffOf } from "../../kit/file-diff.ts";
import { describeOptions, describeWanted } from "../../kit/permission-question.ts";
import { judge } from "../../kit/policy.ts";
import { type Asked, METHOD_NOT_FOUND } from "../../kit/rpc.ts";
import { describeTool, type Tool } from "../../kit/tool.ts";
import { unwrapShell } from "./command-line.ts";
import { ApprovalRequest, InputRequest, type Item } from "./messages.ts";
import type { Settings } from "./settings.ts";

/** The program's questions: answered by the policy, or by a person. */
export interface Approvals {
  ask(asked: Asked): void;
  answer(questionId: string, choice: string): void;
  /** What an item changes; its question does not say it. */
  learn(item: Item): void;
  /** The program waits no longer for this one. */
  forget(requestId: string | number): void;
  /** The turn is over, and its questions with it. */
  clear(): void;
}

interface Place {
  readonly cwd: string;
  readonly home: string;
  /** A person at the program's own interface gets the same questions, and whoever answers first has answered. */
  readonly isShared: boolean;
}

interface Open {
  readonly requestId: string | number;
  readonly ids: readonly string[];
  respond(answers: ReadonlyMap<string, string>): void;
}

const INVALID_PARAMS = -32602;
const UNKNOWN_FORM = "The question is not of the known form.";
const ALWAYS = "allow always";
const MORE_RIGHTS = "item/permissions/requestApproval";
const ELICITATION = "mcpServer/elicitation/request";

/** Makes the list of open questions of a session. */
export function createApprovals(
  settings: Settings,
  place: Place,
  report: Pick<Report, "asked" | "withdrawn" | "noted" | "stuck" | "working">,
): Approvals {
  const open = new Set<Open>();
  const left = new Set<string | number>();
  const answers = new Map<string, string>();
  const changes = new Map<string, Item["changes"]>();

  const askApproval = (asked: Asked, isFile: boolean): void => {
    const request = ApprovalRequest.safeParse(asked.params).data;
    if (request === undefined) {
      asked.refuse(INVALID_PARAMS, UNKNOWN_FORM);
      return;
    }
    const tool = isFile ? toChange(request, changes.get(request.itemId) ?? []) : toCommand(request);
    const verdict = judge(settings, tool, place);
    if (verdict === "deny") report.noted(`denied by the policy: ${describeTool(tool)}`);
    if (verdict !== "ask") {
      asked.respond({ decision: verdict === "allow" ? "accept" : "decline" });
      return;
    }
    const id = randomUUID();
    const hasAlways = request.availableDecisions.includes("acceptForSession");
    const choices = hasAlways ? ["allow", ALWAYS, "deny"] : ["allow", "deny"];
    const respond: Open["respond"] = (given) => asked.respond({ decision: decide(given.get(id) ?? "", choices) });
    open.add({ requestId: asked.id, ids: [id], respond });
    const { command, detail = null } = tool;
    const wanted = { name: "Codex", command, title: describeTool(tool), detail, note: noteOf(request, place) };
    const always = isFile ? "edits of the same files" : "the same command";
    const descriptions = hasAlways ? { [ALWAYS]: `${always}, until the agent's process ends` } : {};
    report.asked({ id, kind: "permission", ...describeWanted(wanted), choices, descriptions, freeText: true });
  };

  const askInput = (asked: Asked): void => {
    const request = InputRequest.safeParse(asked.params).data;
    if (request === undefined) {
      asked.refuse(INVALID_PARAMS, UNKNOWN_FORM);
      return;
    }
    const questions = request.questions.map((question) => ({ ...question, own: randomUUID() }));
    const respond: Open["respond"] = (given) => {
      const told = questions.map(({ id, own }) => [id, { answers: [given.get(own) ?? ""] }] as const);
      asked.respond({ answers: Object.fromEntries(told) });
    };
    open.add({ requestId: asked.id, ids: questions.map(({ own }) => own), respond });
    for (const { own, question, options } of questions) {
      const choices = (options ?? []).map(({ label }) => label);
      report.asked({
        id: own,
        kind: "question",
        question,
        choices,
        descriptions: describeOptions(options ?? []),
        freeText: true,
      });
    }
  };

  // Only the interface can answer it.
  const leave = (asked: Asked): void => {
    left.add(asked.id);
    report.stuck("Codex asks something in its terminal.");
  };

  const decline = (asked: Asked): void => {
    // More rights than the policy has are not given.
    if (asked.method === MORE_RIGHTS) asked.respond({ permissions: {}, scope: "turn" });
    else if (asked.method === ELICITATION) asked.respond({ action: "decline", content: null, _meta: null });
    else asked.refuse(METHOD_NOT_FOUND, `${asked.method} is not offered`);
  };

  return {
    ask: (asked) => {
      if (asked.method === "item/commandExecution/requestApproval") askApproval(asked, false);
      else if (asked.method === "item/fileChange/requestApproval") askApproval(asked, true);
      else if (asked.method === "item/tool/requestUserInput") askInput(asked);
      else if (!place.isShared) decline(asked);
      else if ([MORE_RIGHTS, ELICITATION].includes(asked.method)) leave(asked);
    },
    answer: (questionId, choice) => {
      answers.set(questionId, choice);
      for (const one of open) {
        if (!one.ids.every((id) => answers.has(id))) continue;
        open.delete(one);
        one.respond(answers);
        for (const id of one.ids) answers.delete(id);
      }
    },
    learn: (item) => {
      if (item.type !== "fileChange") return;
      changes.set(item.id, item.changes);
    },
    forget: (requestId) => {
      for (const one of open) {
        if (one.requestId !== requestId) continue;
        open.delete(one);
        for (const id of one.ids) report.withdrawn(id);
      }
      if (left.delete(requestId)) report.working();
    },
    clear: () => {
      open.clear();
      left.clear();
      answers.clear();
      changes.clear();
    },
  };
}

function decide(choice: string, choices: readonly string[]): string {
  const wanted = choice.trim().toLowerCase();
  if (wanted === ALWAYS && choices.includes(ALWAYS)) return "acceptForSession";
  return wanted === "allow" ? "accept" : "decline";
}

// Input to a running program and access to the network are told with a command that is not the matter.
function toCommand({ itemId, kind, command, reason, networkApprovalContext }: ApprovalRequest): Tool {
  const isCommand = kind === "command" && networkApprovalContext == null && command != null;
  const title = isCommand ? "" : `${reason ?? kind} ${unwrapShell(command ?? "")}`.trim();
  const known = { id: itemId, title, status: "pending", paths: [] };
  return isCommand
    ? { ...known, kind: "execute", command: unwrapShell(command) }
    : { ...known, kind: "execute", command: null };
}

function toChange({ itemId }: ApprovalRequest, changes: Item["changes"]): Tool {
  const paths = changes.map(({ path }) => path);
  const isKnown = changes.some(({ diff }) => diff);
  const detail = isKnown ? ({ format: "diff", text: changes.map(showChange).join("\n") } as const) : null;
  return { id: itemId, title: "edit", kind: "edit", status: "pending", command: null, paths, detail };
}

// Of a new or deleted file the program tells the content, of any other the hunks.
function showChange({ path, diff, kind }: Item["changes"][number]): string {
  if (!diff) return `--- ${path}\n+++ ${path}`;
  if (kind?.type === "add") return diffOf({ path, before: null, after: diff });
  if (kind?.type === "delete") return diffOf({ path, before: diff, after: null });
  return diff.startsWith("--- ") ? diff : `--- ${path}\n+++ ${path}\n${diff.replace(/\n$/, "")}`;
}

function noteOf({ reason, cwd, command }: ApprovalRequest, place: Place): string {
  const where = command != null && cwd && cwd !== place.cwd ? `in ${cwd}` : "";
  return [where, reason ?? ""].filter((text) => text !== "").join("; ");
}
