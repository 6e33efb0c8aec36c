import type { Rpc } from "../../kit/rpc.ts";
import type { SessionState } from "./messages.ts";
import type { Settings } from "./settings.ts";

/**
 * Selects the configured model and mode; throws a sentence if the agent does not offer them. Returns the model in use,
 * if the agent reports it.
 */
export async function choose(
  rpc: Rpc,
  sessionId: string,
  state: SessionState,
  settings: Settings,
): Promise<string | null> {
  const { name, model, mode } = settings;
  let used = currentModel(state);
  if (model !== undefined) {
    const offer = offerOf(
      state,
      "model",
      state.models?.availableModels.map(({ modelId }) => modelId),
    );
    const value = pick(offer.values, model);
    if (value === null) throw new Error(notOffered(name, "model", model, offer.values));
    if (offer.configId !== null) await setOption(rpc, sessionId, offer.configId, value);
    else await rpc.request("session/set_model", { sessionId, modelId: value });
    used = value;
  }
  if (mode !== undefined) {
    const offer = offerOf(
      state,
      "mode",
      state.modes?.availableModes.map(({ id }) => id),
    );
    const value = pick(offer.values, mode);
    if (value === null) throw new Error(notOffered(name, "mode", mode, offer.values));
    if (state.modes == null && offer.configId !== null) await setOption(rpc, sessionId, offer.configId, value);
    else await rpc.request("session/set_mode", { sessionId, modeId: value });
  }
  return used === null ? null : plainName(used);
}

function currentModel(state: SessionState): string | null {
  const value = optionOf(state, "model")?.currentValue;
  return typeof value === "string" ? value : (state.models?.currentModelId ?? null);
}

// One agent calls `gpt-5` `$runtime|openai|gpt-5(openai)`.
function plainName(model: string): string {
  return model.replace(/\(.*$/, "").replace(/^.*[|#]/, "");
}

function optionOf(state: SessionState, category: string) {
  return state.configOptions?.find((one) => one.category === category || one.id === category);
}

interface Offer {
  readonly configId: string | null;
  readonly values: readonly string[];
}

function offerOf(state: SessionState, category: string, listed: readonly string[] | undefined): Offer {
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

// Some agents put the vendor before the name, some the kind of login after it.
function pick(values: readonly string[], wanted: string): string | null {
  const ends = (value: string): boolean => value.endsWith(`/${wanted}`) || value.endsWith(`#${wanted}`);
  return (
    values.find((value) => value === wanted) ??
    values.find((value) => ends(value) || value.startsWith(`${wanted}(`)) ??
    null
  );
}

async function setOption(rpc: Rpc, sessionId: string, configId: string, value: string): Promise<void> {
  await rpc.request("session/set_config_option", { sessionId, configId, value });
}

function notOffered(name: string, what: string, wanted: string, values: readonly string[]): string {
  const offered = values.length === 0 ? `offers no choice of ${what}` : `offers ${values.slice(0, 12).join(", ")}`;
  return `${name} has no ${what} ${wanted}: it ${offered}. Change \`agentConfig.${what}\`.`;
}
