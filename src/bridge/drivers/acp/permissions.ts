import type { Question } from "../../driver.ts";
import type { Place } from "../../kit/path-rules.ts";
import { describeWanted } from "../../kit/permission-question.ts";
import { judge } from "../../kit/policy.ts";
import { type Step, step } from "../../kit/reducer.ts";
import { describeTool, type Tool } from "../../kit/tool.ts";
import { toChoices } from "./choices.ts";
import type { PermissionRequest } from "./messages.ts";
import type { Settings } from "./settings.ts";

/** An unanswered question of the agent. */
export interface OpenQuestion {
  readonly id: string;
  /** The agent's id of the request. */
  readonly requestId: string | number;
  readonly toolId: string;
  readonly options: PermissionRequest["options"];
}

/** An answer to a request of the agent. */
export interface RespondRequest {
  readonly kind: "respond";
  readonly requestId: string | number;
  readonly result: { readonly outcome: Outcome };
}

type Outcome = { readonly outcome: "cancelled" } | { readonly outcome: "selected"; readonly optionId: string };

type Questions = readonly OpenQuestion[];
type QuestionsStep = Step<Questions, RespondRequest>;

/** A request for permission, with what is known about its tool. */
export interface Asking {
  readonly id: string;
  readonly requestId: string | number;
  readonly options: PermissionRequest["options"];
  readonly tool: Tool;
}

/** The policy and settings that decide about requests. */
export interface Rules {
  readonly settings: Settings;
  readonly place: Place;
}

/** Answers by the policy, or asks a person. */
export function ask(questions: Questions, asking: Asking, { settings, place }: Rules): QuestionsStep {
  const { id, requestId, options, tool } = asking;
  const verdict = judge(settings, tool, place);
  const decided = verdict === "ask" ? undefined : findOption(options, verdict)?.optionId;
  const about = describeTool(tool);
  if (verdict === "deny") {
    return step(questions, [["noted", `denied by the policy: ${about}`]], [select(requestId, decided ?? null)]);
  }
  if (decided !== undefined) return step(questions, [["working", firstLine(about)]], [select(requestId, decided)]);
  const offered = options.filter(({ optionId }) => !settings.hide.includes(optionId));
  const open = { id, requestId, toolId: tool.id, options: offered };
  return step([...questions, open], [["asked", toQuestion(open, tool, settings.name)]]);
}

/** Handles a person's answer; ignores it if the question is no longer open. */
export function answer(questions: Questions, questionId: string, choice: string): QuestionsStep {
  const open = questions.find(({ id }) => id === questionId);
  if (open === undefined) return step(questions);
  const wanted = choice.trim().toLowerCase();
  const chosen =
    findChosen(open.options, wanted) ?? findOption(open.options, ALLOWS.includes(wanted) ? "allow" : "deny");
  const others = questions.filter((one) => one !== open);
  return step(others, [], [select(open.requestId, chosen?.optionId ?? null)]);
}

/** The turn is ending: the protocol requires an answer to each open question. */
export function cancelAll(questions: Questions): QuestionsStep {
  return step<Questions, RespondRequest>(
    [],
    [],
    questions.map(({ requestId }) => select(requestId, null)),
  );
}

/** The tool continued without the answer. */
export function withdraw(questions: Questions, toolId: string): QuestionsStep {
  const gone = questions.filter((one) => one.toolId === toolId);
  if (gone.length === 0) return step(questions);
  const others = questions.filter((one) => one.toolId !== toolId);
  return step(
    others,
    gone.map(({ id }) => ["withdrawn", id]),
  );
}

/** The protocol's answer; null: cancelled. */
export function select(requestId: string | number, optionId: string | null): RespondRequest {
  const outcome: Outcome = optionId === null ? { outcome: "cancelled" } : { outcome: "selected", optionId };
  return { kind: "respond", requestId, result: { outcome } };
}

function toQuestion({ id, options }: OpenQuestion, tool: Tool, name: string): Question {
  const choices = toChoices(options);
  const described = choices.flatMap((choice) =>
    choice.description === null ? [] : [[choice.name, choice.description]],
  );
  return {
    id,
    kind: "permission",
    ...describeWanted({ name, command: tool.command, title: describeTool(tool), detail: tool.detail ?? null }),
    choices: choices.map((choice) => choice.name),
    descriptions: Object.fromEntries(described),
    freeText: true,
  };
}

const ALLOWS = ["allow", "allow once"];

// By the choice that was shown; else by the agent's own words, which an older version of `ao` showed.
function findChosen(options: OpenQuestion["options"], wanted: string): OpenQuestion["options"][number] | undefined {
  const shown = toChoices(options).find(({ name }) => name.toLowerCase() === wanted)?.option;
  return shown ?? options.find(({ name, optionId }) => [name.toLowerCase(), optionId.toLowerCase()].includes(wanted));
}

// "Always" would outlast the question, and the agent may write it to the user's settings.
function findOption(
  options: PermissionRequest["options"],
  verdict: "allow" | "deny",
): PermissionRequest["options"][number] | undefined {
  const kinds = verdict === "allow" ? ["allow_once"] : ["reject_once", "reject_always"];
  return options.find(({ kind }) => kinds.includes(kind));
}

function firstLine(text: string): string {
  return text.split("\n")[0] ?? "";
}
