import type { Question } from "../../driver.ts";
import { type ClaudeEvent, isToolRequest, type ToolRequest } from "./events.ts";
import { describeRequest, describeScope } from "./tool-question.ts";

/** A request of the program that people answer, with one or more questions. */
export interface Inquiry {
  readonly requestId: string;
  readonly request: ToolRequest;
  readonly questions: readonly Question[];
}

/** By the question's id. */
export type Answers = Readonly<Record<string, string>>;

const ALLOW = "allow";
const ALWAYS = "allow always";
const DENY = "deny";

/** The questions for people in an event of the program, if it is a request to use a tool. */
export function readInquiry(event: ClaudeEvent, cwd: string): Inquiry | null {
  if (event.type !== "control_request" || !isToolRequest(event.request)) return null;
  return inquire(event.request_id, event.request, cwd);
}

/** The questions for people that a request implies; `cwd` is where its files are read for the diff. */
export function inquire(requestId: string, request: ToolRequest, cwd: string): Inquiry {
  const id = request.tool_use_id ?? requestId;
  const asked = readAsked(request);
  const questions =
    asked.length > 0 ? asked.map((one, n) => toQuestion(`${id}-${n}`, one)) : [permission(id, request, cwd)];
  return { requestId, request, questions };
}

/** The answer to the program once every question is answered. */
export function respond({ request, questions }: Inquiry, answers: Answers): Readonly<Record<string, unknown>> {
  const given = questions.map(({ id }) => answers[id]);
  const asked = readAsked(request);
  if (asked.length > 0) {
    const all = asked.map(({ question }, n) => [question, given[n] ?? ""]);
    return { behavior: "allow", updatedInput: { ...request.input, answers: Object.fromEntries(all) } };
  }
  const [answer = DENY] = given;
  if (answer === ALLOW) return { behavior: "allow", updatedInput: request.input };
  if (answer === ALWAYS)
    return { behavior: "allow", updatedInput: request.input, updatedPermissions: lasting(request) };
  return { behavior: "deny", message: answer === DENY ? "The user denied this." : `The user denied this: ${answer}` };
}

function permission(id: string, request: ToolRequest, cwd: string): Question {
  const lastingRules = lasting(request);
  return {
    id,
    kind: "permission",
    ...describeRequest(request.tool_name, request.input, cwd),
    choices: lastingRules.length > 0 ? [ALLOW, ALWAYS, DENY] : [ALLOW, DENY],
    descriptions: lastingRules.length > 0 ? { [ALWAYS]: describeScope(lastingRules) } : {},
    freeText: true,
  };
}

// "Always" means this process: otherwise the program would write it to the workspace's settings. Rules about exactly
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

function readAsked({ tool_name: tool, input }: ToolRequest): readonly Asked[] {
  if (tool !== "AskUserQuestion") return [];
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

function toQuestion(id: string, { question, options, isMultiple }: Asked): Question {
  const described = options.flatMap(({ label, description }) => (description === null ? [] : [[label, description]]));
  return {
    id,
    kind: "question",
    question: isMultiple ? `${question}\n(for several of them, write their names with commas)` : question,
    choices: options.map(({ label }) => label),
    descriptions: Object.fromEntries(described),
    freeText: true,
  };
}

/** A tool and its subject, for people: `Bash: npm test`. */
export function describeTool(name: string, input: unknown): string {
  const fields = (typeof input === "object" && input !== null ? input : {}) as Readonly<Record<string, unknown>>;
  const first = ["command", "file_path", "path", "pattern", "url", "query", "description", "prompt"]
    .map((key) => fields[key])
    .find((value) => typeof value === "string" && value !== "");
  return `${name}: ${typeof first === "string" ? first : JSON.stringify(fields)}`;
}
