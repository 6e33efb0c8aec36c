import { findConditionFault } from "../core/reaction/condition.ts";
import { actionsFor, findActionFault } from "../core/reaction/fitting-actions.ts";
import { REACTION_KEYS } from "../core/reaction/reaction-keys.ts";
import { namesIn } from "../core/reaction/template.ts";
import { messageVariables } from "../core/reaction/texts.ts";
import { suggest } from "./did-you-mean.ts";
import type { Finding } from "./problem.ts";
import { reactionPlaces } from "./rule-places.ts";
import { canonicalReaction, EVENT_NAMES, isReactionKey } from "./schema/reaction-key.ts";
import type { WrittenConfig } from "./schema.ts";
import type { Path } from "./schema-walk.ts";

type WrittenReactions = NonNullable<WrittenConfig["reactions"]>;
type WrittenReaction = NonNullable<WrittenReactions[string]>;

/** Checks names, conditions and messages of reactions, global and per project. */
export function checkReactions(written: WrittenConfig): readonly Finding[] {
  return reactionPlaces(written).flatMap(([path, reactions]) => {
    const keys = Object.keys(reactions);
    return Object.entries(reactions).flatMap(([key, reaction]) => [
      ...checkName(key, keys, path),
      ...(reaction === undefined ? [] : checkTexts(canonicalReaction(key), reaction, [...path, key])),
    ]);
  });
}

function checkName(key: string, keys: readonly string[], path: Path): readonly Finding[] {
  const at = { path: [...path, key], at: "key" } as const;
  if (!isReactionKey(key))
    return [{ ...at, message: "unknown reaction", hint: suggest(key, [...REACTION_KEYS, ...EVENT_NAMES]) }];
  const name = canonicalReaction(key);
  if (name === key || !keys.includes(name)) return [];
  return [{ ...at, message: `is another name for ${name}, which is set too`, hint: "keep one of them" }];
}

// A condition that can never hold, or a message with a gap, would otherwise show up only when needed.
function checkTexts(key: string, written: WrittenReaction, path: Path): readonly Finding[] {
  const { condition, message } = written;
  const fault = condition === undefined ? null : findConditionFault(key, condition);
  return [
    ...checkAction(key, written, path),
    ...(fault === null ? [] : [{ path: [...path, "condition"], at: "value", message: fault, hint: null } as const]),
    ...(message === undefined ? [] : checkVariables(key, message, [...path, "message"])),
  ];
}

function checkAction(key: string, { action, label, run }: WrittenReaction, path: Path): readonly Finding[] {
  if (action === undefined) return [];
  const at = { path: [...path, "action"], at: "value" } as const;
  const fault = findActionFault(key, action === "auto-merge" ? "merge" : action);
  if (fault !== null) return [{ ...at, message: fault, hint: `actions for ${key}: ${actionsFor(key).join(", ")}` }];
  const isMissing = (action === "label" && label === undefined) || (action === "run" && run === undefined);
  return isMissing ? [{ ...at, message: `needs the field ${action}`, hint: EXAMPLES[action] ?? null }] : [];
}

const EXAMPLES: Readonly<Record<string, string>> = {
  label: "for example `label: needs-review`",
  run: "for example `run: ./scripts/after-merge.sh`",
};

function checkVariables(key: string, message: string, path: Path): readonly Finding[] {
  const known = messageVariables(key);
  if (known === null) return [];
  return namesIn(message)
    .filter((name) => !known.includes(name))
    .map((name) => ({
      path,
      at: "value",
      message: `unknown variable {{${name}}}`,
      hint: suggest(name, known),
    }));
}
