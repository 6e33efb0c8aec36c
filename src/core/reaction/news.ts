import type { AnyEvent, Emitted } from "../event.ts";
import { splitStream } from "../stream.ts";
import type { World } from "../world.ts";
import { judgeCondition } from "./condition.ts";
import { eventOfKey, fieldsOfKey, keysOfEvent } from "./event-keys.ts";
import type { Problem } from "./problem.ts";
import { lineOf } from "./template.ts";
import { UNTRUSTED_KEY } from "./untrusted.ts";

/** States that are reported once each and need no solution. */
const ONCE: readonly string[] = ["label-added", "collision", "main-moved", UNTRUSTED_KEY];

/** Is this reaction about something that happened, with nothing to solve? */
export function isNews(key: string): boolean {
  return ONCE.includes(key) || eventOfKey(key) !== null;
}

/** Was this news acted on, or shown to a person, so that nothing more follows from it? */
export function isNewsDone({ last, occurrence, escalatedAt, escalatedFor = occurrence }: Problem): boolean {
  return last?.occurrence === occurrence || (escalatedAt !== null && escalatedFor === occurrence);
}

/** What follows for rules about an event that just happened; called once per event, with the state after it. */
export function announce(world: World, { stream, event }: Emitted): readonly Emitted[] {
  const keys = keysOfEvent(event.type);
  if (keys.length === 0) return [];
  const { kind, id } = splitStream(stream);
  const change = kind === "change" ? world.change(id) : undefined;
  const session = kind === "session" ? world.session(id) : world.session(change?.sessionId ?? "");
  const owner = change ?? session;
  const policy = owner === undefined ? null : (world.project(owner.projectId)?.policy ?? null);
  if (owner === undefined || policy === null) return [];
  return keys.flatMap((key): readonly Emitted[] => {
    const rule = policy.reactions[key];
    if (rule === undefined) return [];
    const fields = readFields(key, event);
    const problemId = fields["label"] === undefined ? key : `${key}:${fields["label"]}`;
    const known = owner.problems[problemId];
    const text = describe(key, fields);
    const facts = { key, text, subject: fields["label"] ?? "", messages: known?.sent ?? 0, fields };
    const { isMet, undecided } = judgeCondition(rule.condition, { event: facts, session, change });
    if (!isMet && undecided === null) return [];
    // The same thing may happen repeatedly; each time is a new occurrence.
    const occurrence = `${Number(known?.occurrence ?? 0) + 1}`;
    const seen = { type: "problem.seen", id: problemId, key, occurrence, text, fields } as const;
    return [{ stream, event: undecided === null ? seen : { ...seen, undecided } }];
  });
}

function readFields(key: string, event: AnyEvent): Readonly<Record<string, string>> {
  const values = event as unknown as Readonly<Record<string, unknown>>;
  return Object.fromEntries(fieldsOfKey(key).map((name) => [name, lineOf(String(values[name] ?? ""))]));
}

const TEXTS: Readonly<Record<string, (fields: Readonly<Record<string, string>>) => string>> = {
  "label-removed": ({ label }) => `label \`${label}\` was removed`,
  "pr-opened": () => "the pull request was opened",
  "pr-closed": ({ by }) => `${by} closed the pull request`,
  "pr-merged": () => "the pull request was merged",
};

function describe(key: string, fields: Readonly<Record<string, string>>): string {
  const known = TEXTS[key]?.(fields);
  if (known !== undefined) return known;
  const details = Object.entries(fields).map(([name, value]) => `${name} ${value}`);
  return details.length === 0 ? key : `${key}: ${details.join(", ")}`.slice(0, 300);
}
