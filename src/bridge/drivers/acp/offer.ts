import type { Rpc } from "../../kit/rpc.ts";
import type { SessionState } from "./messages.ts";
import type { Settings } from "./settings.ts";

/** What is needed to set something of a conversation before its first prompt. */
export interface Choosing {
  readonly rpc: Rpc;
  readonly sessionId: string;
  readonly settings: Settings;
}

/** What an agent lets its user choose. */
export interface Offer {
  /** The id of the option by which it is chosen; null: by a request of its own. */
  readonly configId: string | null;
  readonly values: readonly string[];
}

/** The values of an option; `listed` are those that the agent reports in a field of their own. */
export function offerOf(state: SessionState, category: string, listed: readonly string[] | undefined): Offer {
  const option = optionOf(state, category);
  if (option === undefined) return { configId: null, values: listed ?? [] };
  const values = (option.options ?? []).flatMap((one) =>
    "value" in one && typeof one.value === "string"
      ? [one.value]
      : "options" in one && Array.isArray(one.options)
        ? (one.options as readonly { readonly value: string }[]).map(({ value }) => value)
        : [],
  );
  return { configId: option.id, values };
}

export function optionOf(state: SessionState, category: string) {
  return state.configOptions?.find((one) => one.category === category || one.id === category);
}

/** The offered value that a person means. Some agents put the vendor before the name, some the kind of login after it. */
export function pick(values: readonly string[], wanted: string): string | null {
  const ends = (value: string): boolean => value.endsWith(`/${wanted}`) || value.endsWith(`#${wanted}`);
  return (
    values.find((value) => value === wanted) ??
    values.find((value) => ends(value) || value.startsWith(`${wanted}(`)) ??
    null
  );
}

/** Why a configured value cannot be used, as a sentence. */
export function notOffered(
  { name, what, wanted }: { readonly name: string; readonly what: "model" | "mode"; readonly wanted: string },
  values: readonly string[],
): string {
  const offered = values.length === 0 ? `offers no choice of ${what}` : `offers ${values.slice(0, 12).join(", ")}`;
  return `${name} has no ${what} ${wanted}: it ${offered}. Change \`agentConfig.${what}\`.`;
}
