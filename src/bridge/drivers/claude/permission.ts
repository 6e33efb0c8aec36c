import type { Question } from "../../driver.ts";
import type { ToolRequest } from "./events.ts";
import { describeRequest, describeScope } from "./tool-question.ts";

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

/** The questions that a request means for people; `cwd` is where its files are. */
export function inquire(requestId: string, request: ToolRequest, cwd: string): Inquiry {
  const asked = request.tool_name === "AskUserQuestion" ? readAsked(request.input) : [];
  return asked.length > 0 ? ownQuestions(requestId, request, asked) : permission(requestId, request, cwd);
}

function permission(requestId: string, request: ToolRequest, cwd: string): Inquiry {
  const id = request.tool_use_id ?? requestId;
  const updatedPermissions = lasting(request);
  const question: Question = {
    id,
    kind: "permission",
    ...describeRequest(request.tool_name, request.input, cwd),
    choices: updatedPermissions.length > 0 ? [ALLOW, ALWAYS, DENY] : [ALLOW, DENY],
    descriptions: updatedPermissions.length > 0 ? { [ALWAYS]: describeScope(updatedPermissions) } : {},
    freeText: true,
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
        message: answer === DENY ? "The user denied this." : `The user denied this: ${answer}`,
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
  readonly options: readonly { readonly label: string; readonly description: string | null }[];
  readonly isMultiple: boolean;
}

function readAsked(input: Readonly<Record<string, unknown>>): readonly Asked[] {
  const list = Array.isArray(input["questions"]) ? (input["questions"] as readonly unknown[]) : [];
  return list.flatMap((one) => {
    const { question, options, multiSelect } = (one ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof question !== "string") return [];
    const offered = Array.isArray(options) ? options.flatMap(readOption) : [];
    return [{ question, options: offered, isMultiple: multiSelect === true }];
  });
}

function readOption(option: unknown): Asked["options"] {
  const { label, description } = (option ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof label !== "string") return [];
  return [{ label, description: typeof description === "string" && description !== "" ? description : null }];
}

function ownQuestions(requestId: string, request: ToolRequest, asked: readonly Asked[]): Inquiry {
  const id = request.tool_use_id ?? requestId;
  const questions = asked.map(
    ({ question, options, isMultiple }, n): Question => ({
      id: `${id}-${n}`,
      kind: "question",
      question: isMultiple ? `${question}\n(for several of them, write their names with commas)` : question,
      choices: options.map(({ label }) => label),
      descriptions: Object.fromEntries(
        options.flatMap(({ label, description }) => (description === null ? [] : [[label, description]])),
      ),
      freeText: true,
    }),
  );
  return {
    requestId,
    questions,
    respond: (answers) => {
      const given = asked.map(({ question }, n) => [question, answers.get(questions[n]?.id ?? "") ?? ""]);
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
