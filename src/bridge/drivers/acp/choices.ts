import type { PermissionRequest } from "./messages.ts";

type Option = PermissionRequest["options"][number];

/** One answer that people can choose, and the agent's option behind it. */
export interface Choice {
  readonly name: string;
  /** What the name leaves open; null: nothing. */
  readonly description: string | null;
  readonly option: Option;
}

const ALWAYS = "what that covers and how long it holds is up to the agent";

// In the order in which they are offered: the first one must never be more than this one call. Agents send any order.
const KINDS: readonly (readonly [kind: string, name: string])[] = [
  ["allow_once", "allow"],
  ["allow_always", "allow always"],
  ["reject_once", "deny"],
  ["reject_always", "deny always"],
];

// What the agent's own name often is, and what ours says as well.
const PLAIN = /^(?:allow|approve|yes|deny|reject|no)(?: once| always)?$|^always (?:allow|deny|reject)$/i;

/** The options of a request in `ao`'s order and words; options of an unknown kind come last, marked as such. */
export function toChoices(options: readonly Option[]): readonly Choice[] {
  const known = KINDS.flatMap(([kind, name]) =>
    nameAll(
      options.filter((option) => option.kind === kind),
      name,
    ),
  );
  const unknown = options.filter((option) => KINDS.every(([kind]) => kind !== option.kind));
  return [...known, ...unknown.map((option) => ({ name: `other: ${option.name}`, description: null, option }))];
}

/** Options of one kind: only if there are several does the agent's own name become part of the choice. */
function nameAll(options: readonly Option[], name: string): readonly Choice[] {
  return options.map((option) => {
    const isOnly = options.length === 1;
    return {
      name: isOnly ? name : `${name}: ${option.name}`,
      description: describe(option, isOnly),
      option,
    };
  });
}

function describe({ kind, name }: Option, isOnly: boolean): string | null {
  const own = isOnly && !PLAIN.test(name.trim()) ? [name.trim()] : [];
  const parts = kind.endsWith("_always") ? [...own, ALWAYS] : own;
  return parts.length === 0 ? null : parts.join("; ");
}
