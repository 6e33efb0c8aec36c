import type { Question } from "../../driver.ts";
import type { ToolRequest } from "./events.ts";

/** A request of the program that people answer, in one question or several. */
export interface Inquiry {
  readonly requestId: string;
  readonly questions: readonly Question[];
  /** What the program gets once every question has its answer, by the question's id. */
  respond(answers: ReadonlyMap<string, string>): Readonly<Record<string, unknown>>;
}

const ALLOW = "allow";
const ALWAYS = "allow always";
const DENY = "deny";

/** The questions that a request means for people. */
export function inquire(requestId: string, request: ToolRequest): Inquiry {
  const asked = request.tool_name === "AskUserQuestion" ? readAsked(request.input) : [];
  return asked.length > 0 ? ownQuestions(requestId, request, asked) : permission(requestId, request);
}

function permission(requestId: string, request: ToolRequest): Inquiry {
  const id = request.tool_use_id ?? requestId;
  const updatedPermissions = lasting(request);
  const question: Question = {
    id,
    kind: "permission",
    question: `Claude Code asks to use ${describeTool(request.tool_name, request.input)}`,
    choices: updatedPermissions.length > 0 ? [ALLOW, ALWAYS, DENY] : [ALLOW, DENY],
  };
  return {
    requestId,
    questions: [question],
    respond: (answers) => {
      const answer = answers.get(id) ?? DENY;
      if (answer === ALLOW) return { behavior: "allow", updatedInput: request.input };
      if (answer === ALWAYS) return { behavior: "allow", updatedInput: request.input, updatedPermissions };
      return {
        behavior: "deny",
        message: answer === DENY ? "A person said no to this." : `A person said no: ${answer}`,
      };
    },
  };
}

// "Always" means this process: the program would otherwise write it into the settings of the workspace. Rules about exactly
// this are preferred to a wider mode or more folders.
function lasting(request: ToolRequest): readonly Readonly<Record<string, unknown>>[] {
  const rules = request.permission_suggestions.filter((suggestion) => suggestion.type === "addRules");
  const chosen = rules.length > 0 ? rules : request.permission_suggestions;
  return chosen.map((suggestion) => ({ ...suggestion, destination: "session" }));
}

interface Asked {
  readonly question: string;
  readonly labels: readonly string[];
}

function readAsked(input: Readonly<Record<string, unknown>>): readonly Asked[] {
  const list = Array.isArray(input["questions"]) ? (input["questions"] as readonly unknown[]) : [];
  return list.flatMap((one) => {
    const { question, options } = (one ?? {}) as { readonly question?: unknown; readonly options?: unknown };
    if (typeof question !== "string") return [];
    const labels = Array.isArray(options) ? options.map((option) => (option as { label?: unknown } | null)?.label) : [];
    return [{ question, labels: labels.filter((label) => typeof label === "string") }];
  });
}

function ownQuestions(requestId: string, request: ToolRequest, asked: readonly Asked[]): Inquiry {
  const id = request.tool_use_id ?? requestId;
  const questions = asked.map(
    ({ question, labels }, n): Question => ({ id: `${id}-${n}`, kind: "question", question, choices: labels }),
  );
  return {
    requestId,
    questions,
    respond: (answers) => {
      const given = questions.map(({ id: key, question }) => [question, answers.get(key) ?? ""]);
      return { behavior: "allow", updatedInput: { ...request.input, answers: Object.fromEntries(given) } };
    },
  };
}

/** A tool and what it is about, for people: `Bash: npm test`. */
export function describeTool(name: string, input: unknown): string {
  const fields = (typeof input === "object" && input !== null ? input : {}) as Readonly<Record<string, unknown>>;
  const first = ["command", "file_path", "path", "pattern", "url", "query", "description", "prompt"]
    .map((key) => fields[key])
    .find((value) => typeof value === "string" && value !== "");
  return `${name}: ${typeof first === "string" ? first : JSON.stringify(fields)}`;
}
