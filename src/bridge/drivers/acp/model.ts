import type { SessionState } from "./messages.ts";
import { type Choosing, notOffered, offerOf, optionOf, pick } from "./offer.ts";

/**
 * Selects the configured model; throws a sentence if the agent does not offer it. Returns the model in use, if the agent
 * reports it.
 */
export async function chooseModel({ rpc, sessionId, settings }: Choosing, state: SessionState): Promise<string | null> {
  const { name, model } = settings;
  let used = currentModel(state);
  if (model !== undefined) {
    const offer = offerOf(
      state,
      "model",
      state.models?.availableModels.map(({ modelId }) => modelId),
    );
    const value = pick(offer.values, model);
    if (value === null) throw new Error(notOffered({ name, what: "model", wanted: model }, offer.values));
    if (offer.configId === null) await rpc.request("session/set_model", { sessionId, modelId: value });
    else await rpc.request("session/set_config_option", { sessionId, configId: offer.configId, value });
    used = value;
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
