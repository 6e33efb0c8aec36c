import { Environment } from "@marcbachmann/cel-js";
import { approversOf, openRequests } from "../change/review.ts";
import type { ChangeState, CheckState } from "../change/state.ts";
import { type BoundedExpression, parseBounded, Undecided } from "../expression/bounded-expression.ts";
import type { SessionState } from "../session/state.ts";
import { EVENT_FIELDS, eventOfKey, fieldsOfKey, isOnChange } from "./event-keys.ts";

/** What conditions can ask about, with the CEL type of each field; docs/user/reactions.md explains them. */
export const CONDITION_FIELDS = {
  session: { id: "string", title: "string", branch: "string", agent: "string", turns: "int" },
  pr: {
    number: "int",
    title: "string",
    branch: "string",
    base: "string",
    labels: "list<string>",
  },
  checks: { passed: "list<string>", failed: "list<string>", pending: "list<string>" },
  review: { approvals: "int", changesRequested: "bool", openThreads: "int" },
  task: { id: "string", title: "string" },
  event: { key: "string", text: "string", subject: "string", messages: "int" },
} as const;

type Name = keyof typeof CONDITION_FIELDS;
type Facts = Readonly<Record<string, unknown>>;

/** The problem that a condition is evaluated for. */
export interface ConditionEvent {
  readonly key: string;
  readonly text: string;
  /** Its subject: the check's name, the label, the review's id; empty: the whole. */
  readonly subject: string;
  /** Messages sent because of it. */
  readonly messages: number;
  /** The event's own fields; absent: it is about a state. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** What is known when a condition is evaluated. */
export interface ConditionFacts {
  readonly event: ConditionEvent;
  readonly session?: SessionState | undefined;
  readonly change?: ChangeState | undefined;
}

const ABOUT_SESSION: readonly Name[] = ["session", "task", "event"];
/** Whether a pull request is merged depends only on the pull request itself. */
const ABOUT_MERGE: readonly Name[] = ["pr", "checks", "review", "task", "event"];
const ABOUT_ALL: readonly Name[] = ["session", ...ABOUT_MERGE];

const MERGING_KEY = "approved-and-green";
/** An existing label is a state, and still has its own name in conditions. */
const LABEL_KEY = "label-added";

/** The names that a condition of this reaction may use; fields of `event` can also be used alone. */
export function conditionNames(key: string): readonly Name[] {
  if (key === MERGING_KEY) return ABOUT_MERGE;
  if (key === "all-complete" || key === "main-broken") return ["event"];
  const type = eventOfKey(key);
  const isAboutSession =
    type === null ? /^agent-|^(rate-limited|uncommitted|budget-exceeded)$/.test(key) : !isOnChange(type);
  return isAboutSession ? ABOUT_SESSION : ABOUT_ALL;
}

function fieldNames(key: string): readonly string[] {
  return key === LABEL_KEY ? ["label"] : fieldsOfKey(key);
}

/** What is wrong with a condition of this reaction, in a sentence; null: nothing. */
export function findConditionFault(key: string, expression: string): string | null {
  const names = conditionNames(key);
  const { valid, type, error } = environmentFor(names, fieldNames(key)).check(expression);
  if (!valid) return `${firstLine(error)}; known here: ${[listFields(names), ...fieldNames(key)].join(", ")}`;
  return type === "bool" || type === "dyn" ? null : `must be true or false, but is of type ${type}`;
}

/** What a condition says about what is known. */
export interface Judgment {
  readonly isMet: boolean;
  /** Why `ao` cannot evaluate it, so that a person decides; null: it can. */
  readonly undecided: string | null;
}

const MET: Judgment = { isMet: true, undecided: null };
const UNMET: Judgment = { isMet: false, undecided: null };

/** Is the condition true? One that asks for something unknown here is not; without a condition, it is. */
export function judgeCondition(expression: string | null, facts: ConditionFacts): Judgment {
  if (expression === null) return MET;
  try {
    const condition = compile(expression);
    if (condition.fault !== null) return undecided(condition.fault);
    return condition.evaluate(contextOf(facts)) === true ? MET : UNMET;
  } catch (error) {
    // Unknown never counts as true: what a rule does cannot be undone.
    return error instanceof Undecided ? undecided(error.message) : UNMET;
  }
}

function undecided(reason: string): Judgment {
  return { isMet: false, undecided: `\`ao\` cannot evaluate its condition: ${reason}` };
}

/** Why `ao` cannot evaluate a valid condition, whatever it is about; null: it can. */
export function findPatternFault(expression: string): string | null {
  try {
    return compile(expression).fault;
  } catch {
    return null;
  }
}

const EVERY_FIELD: readonly string[] = [...new Set(Object.values(EVENT_FIELDS).flat())];
const compiled = new Map<string, BoundedExpression>();
const MAX_COMPILED = 200;

function compile(expression: string): BoundedExpression {
  const known = compiled.get(expression);
  if (known !== undefined) return known;
  const made = parseBounded(environmentFor(ABOUT_ALL, EVERY_FIELD), expression);
  // Old policies must not stay cached forever.
  if (compiled.size >= MAX_COMPILED) compiled.clear();
  compiled.set(expression, made);
  return made;
}

function environmentFor(names: readonly Name[], fields: readonly string[]): Environment {
  const environment = new Environment({ limits: { maxAstNodes: 500, maxDepth: 50 } });
  for (const name of names) environment.registerVariable({ name, schema: { ...CONDITION_FIELDS[name] } });
  for (const [field, type] of Object.entries(CONDITION_FIELDS.event)) environment.registerVariable(field, type);
  for (const field of fields) environment.registerVariable(field, "string");
  return environment;
}

function listFields(names: readonly Name[]): string {
  return names.map((name) => `${name}.{${Object.keys(CONDITION_FIELDS[name]).join(", ")}}`).join(", ");
}

function contextOf({ event, session, change }: ConditionFacts): Facts {
  const { fields, ...rest } = event;
  const asEvent = { ...rest, messages: BigInt(event.messages) };
  return {
    ...(event.key === LABEL_KEY ? { label: event.subject } : fields),
    ...asEvent,
    event: asEvent,
    ...(session === undefined ? {} : { session: sessionFacts(session) }),
    ...(change === undefined ? {} : changeFacts(change)),
    task: { id: (change ?? session)?.issue ?? "", title: (change ?? session)?.title ?? "" },
  };
}

function sessionFacts({ id, title, branch, agent, turns }: SessionState): Facts {
  return { id, title, branch, agent: agent.plugin, turns: BigInt(turns) };
}

const FAILED: readonly CheckState[] = ["failed", "timed-out"];

function changeFacts(change: ChangeState): Facts {
  const { number, title, branch, base, labels, threads } = change;
  const runs = Object.values(change.checks);
  const named = (isWanted: (state: CheckState) => boolean): readonly string[] =>
    runs.filter(({ state }) => isWanted(state)).map(({ name }) => name);
  return {
    pr: { number: BigInt(number), title, branch, base, labels },
    checks: {
      passed: named((state) => state === "passed"),
      failed: named((state) => FAILED.includes(state)),
      pending: named((state) => state !== "passed" && !FAILED.includes(state)),
    },
    review: {
      approvals: BigInt(approversOf(change).length),
      changesRequested: openRequests(change).length > 0,
      openThreads: BigInt(threads.filter(({ resolvedBy }) => resolvedBy === null).length),
    },
  };
}

function firstLine(error: Error | undefined): string {
  return error?.message.split("\n")[0] ?? "it cannot be read";
}
