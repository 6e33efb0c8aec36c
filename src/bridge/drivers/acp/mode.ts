import { CLOSED, METHOD_NOT_FOUND, RpcError } from "../../kit/rpc.ts";
import { SessionState } from "./messages.ts";
import { type Choosing, notOffered, type Offer, offerOf, optionOf, pick } from "./offer.ts";
import type { Settings } from "./settings.ts";
import { wordsOf } from "./turn-end.ts";

interface Option {
  readonly id: string;
  readonly value: string;
}

/**
 * Modes in which agents ask before they act, or run commands in a sandbox of their own, best first.
 */
const ASKING: Readonly<Record<Settings["permissions"], readonly string[]>> = {
  ask: ["default", "approve", "ask", "read-only"],
  edits: ["default", "approve", "ask", "workspace-write", "read-only"],
  all: [],
};

/** The mode of a conversation, and what people should know about it. */
export interface HeldMode {
  /** Null: the agent has no modes. */
  readonly mode: string | null;
  readonly note: string | null;
}

/**
 * Puts the agent into the mode that the policy relies on, and checks that it is in it; throws a sentence if it is not.
 */
export async function holdMode(choosing: Choosing, state: SessionState): Promise<HeldMode> {
  const { settings } = choosing;
  for (const [id, value] of Object.entries(settings.options)) await holdOption(choosing, state, { id, value });
  const current = currentMode(state);
  const wanted = settings.mode ?? askingMode(settings, state);
  if (wanted !== null) return { mode: await setMode(choosing, state, wanted), note: null };
  const { values } = modesOf(state);
  if (settings.permissions === "all" || values.length === 0) return { mode: current, note: null };
  return {
    mode: current,
    note:
      `${settings.name} is in its mode "${current ?? "unknown"}". It may act there without asking; ` +
      `\`agentConfig.mode\` sets another (${values.slice(0, 12).join(", ")}).`,
  };
}

// For an agent whose mode nobody configured.
function askingMode({ permissions }: Settings, state: SessionState): string | null {
  const asking = ASKING[permissions];
  const isOne = (values: readonly string[]) => (mode: string) => pick(values, mode) !== null;
  return asking.find(isOne([currentMode(state) ?? ""])) ?? asking.find(isOne(modesOf(state).values)) ?? null;
}

async function setMode(choosing: Choosing, state: SessionState, wanted: string): Promise<string> {
  const { settings } = choosing;
  const offer = modesOf(state);
  // An agent that lists no modes may still have them.
  const value = offer.values.length === 0 && settings.isModeRequired ? wanted : pick(offer.values, wanted);
  if (value === null)
    throw new Error(withReason(settings, notOffered({ name: settings.name, what: "mode", wanted }, offer.values)));
  // Even if it says that it is in it: one agent says so whatever its user's settings are.
  await insist(settings, `mode ${wanted}`, () => change(choosing, offer, value));
  return value;
}

async function holdOption(choosing: Choosing, state: SessionState, { id, value }: Option): Promise<void> {
  const option = state.configOptions?.find((one) => one.id === id);
  // An agent without the option has nothing to turn off.
  if (option === undefined) return;
  await insist(choosing.settings, `option ${id}=${value}`, () => setOption(choosing, { id, value }));
}

async function insist(settings: Settings, what: string, set: () => Promise<void>): Promise<void> {
  try {
    await set();
  } catch (error) {
    if (!(error instanceof RpcError) || error.code === CLOSED) throw error;
    throw new Error(withReason(settings, `${settings.name} refused the ${what}: ${wordsOf(error)}.`));
  }
}

// The answer of an option says what it is now. That of `session/set_mode` says nothing, so it is only the second choice.
async function change(choosing: Choosing, { configId }: Offer, value: string): Promise<void> {
  const { rpc, sessionId } = choosing;
  if (configId !== null) {
    try {
      return await setOption(choosing, { id: configId, value });
    } catch (error) {
      if (!(error instanceof RpcError) || error.code !== METHOD_NOT_FOUND) throw error;
    }
  }
  await rpc.request("session/set_mode", { sessionId, modeId: value });
}

async function setOption({ rpc, sessionId, settings }: Choosing, { id, value }: Option): Promise<void> {
  const answer = await rpc.request("session/set_config_option", { sessionId, configId: id, value });
  const now = SessionState.safeParse(answer ?? {}).data?.configOptions?.find((one) => one.id === id);
  if (now === undefined || now.currentValue === value) return;
  const said = JSON.stringify(now.currentValue);
  throw new Error(withReason(settings, `${settings.name} was asked to set ${id} to ${value} and left it at ${said}.`));
}

function modesOf(state: SessionState): Offer {
  return offerOf(
    state,
    "mode",
    state.modes?.availableModes.map(({ id }) => id),
  );
}

function currentMode(state: SessionState): string | null {
  const value = optionOf(state, "mode")?.currentValue;
  return typeof value === "string" ? value : (state.modes?.currentModeId ?? null);
}

function withReason({ isModeRequired, name }: Settings, sentence: string): string {
  if (!isModeRequired) return sentence;
  const what = sentence.replace(" Change `agentConfig.mode`.", "");
  return `${what} ao does not start ${name} otherwise, because it might run commands without asking.`;
}
