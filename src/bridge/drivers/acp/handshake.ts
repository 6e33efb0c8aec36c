import { AUTH_REQUIRED, CLOSED, type Rpc, RpcError } from "../../kit/rpc.ts";
import { Initialized, SessionState } from "./messages.ts";
import { type HeldMode, holdMode } from "./mode.ts";
import { chooseModel } from "./model.ts";
import type { Settings } from "./settings.ts";
import { readError, wordsOf } from "./turn-end.ts";

export interface HandshakeOptions {
  readonly rpc: Rpc;
  readonly settings: Settings;
  readonly cwd: string;
  /** The conversation of an earlier process. */
  readonly known: string | null;
  /** The latest non-protocol output of the program. */
  noise(): string;
}

/** The opened conversation: the earlier one, a new one, or a new one because the earlier one could not be loaded. */
export interface Opened {
  readonly sessionId: string;
  readonly past: "none" | "loaded" | "lost";
  /** Why the earlier one was lost. */
  readonly reason: string;
  /** A later process can load it. */
  readonly canLoad: boolean;
  /** What the agent lets its user choose. */
  readonly state: SessionState;
}

const VERSION = 1;

/** Initializes the agent and opens a conversation. Rejects with a sentence for a person. */
export async function shakeHands(options: HandshakeOptions): Promise<Opened> {
  const { settings, cwd, known } = options;
  const initialized = Initialized.safeParse(await ask(options, "initialize", HELLO)).data;
  if (initialized?.protocolVersion !== VERSION) throw new Error(otherVersion(settings, initialized?.protocolVersion));
  const canLoad = initialized.agentCapabilities?.loadSession === true;
  const loaded = known === null ? "" : await load(options, known, canLoad);
  if (known !== null && typeof loaded !== "string") {
    return { sessionId: known, past: "loaded", reason: "", canLoad, state: loaded };
  }
  const state = SessionState.safeParse(await ask(options, "session/new", { cwd, mcpServers: [] })).data;
  if (state?.sessionId == null) throw new Error(`${settings.name} made no session, and gave no reason.`);
  const reason = typeof loaded === "string" ? loaded : "";
  return { sessionId: state.sessionId, past: known === null ? "none" : "lost", reason, canLoad, state };
}

/** Our client capabilities: neither files nor terminals. */
export const HELLO = {
  protocolVersion: VERSION,
  clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
  clientInfo: { name: "ao", version: "1" },
};

/** What holds before the first prompt. */
export interface Choices extends HeldMode {
  /** Null: the agent does not report its model. */
  readonly model: string | null;
}

/** Sets the model and the mode, with the same time limit as every other step. */
export async function applyChoices(options: HandshakeOptions, opened: Opened): Promise<Choices> {
  const { sessionId, state } = opened;
  const choosing = { rpc: options.rpc, sessionId, settings: options.settings };
  const model = await within(options, "the choice of the model", chooseModel(choosing, state));
  // Last: another model may bring another mode.
  return { model, ...(await within(options, "the choice of the mode", holdMode(choosing, state))) };
}

// Returns the state of the conversation, or why it could not be loaded.
async function load(options: HandshakeOptions, known: string, canLoad: boolean): Promise<SessionState | string> {
  if (!canLoad) return "it cannot load conversations";
  const params = { sessionId: known, cwd: options.cwd, mcpServers: [] };
  try {
    const answer = await within(options, "session/load", options.rpc.request("session/load", params));
    return SessionState.safeParse(answer ?? {}).data ?? {};
  } catch (error) {
    if (!(error instanceof RpcError) || error.code === CLOSED || error.code === AUTH_REQUIRED) throw error;
    return wordsOf(error);
  }
}

async function ask(options: HandshakeOptions, method: string, params: object): Promise<unknown> {
  try {
    return await within(options, method, options.rpc.request(method, params));
  } catch (error) {
    if (!(error instanceof RpcError) || error.code === CLOSED) throw error;
    const end = readError(error, options.settings, new Date());
    throw new Error("reason" in end ? end.reason : error.message);
  }
}

async function within<T>(options: HandshakeOptions, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(tooLate(options, what))), options.settings.startLimitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function tooLate({ settings, noise }: HandshakeOptions, what: string): string {
  const said = noise() === "" ? "" : ` It printed: ${noise()}`;
  const doubt = `Is \`${settings.command.join(" ")}\` an agent of the Agent Client Protocol, and logged in?`;
  const limit = `${Math.ceil(settings.startLimitMs / 1000)} s`;
  return `${settings.name} did not answer (${what}) within ${limit}. ${doubt}${said}`;
}

function otherVersion({ name }: Settings, version: number | undefined): string {
  const spoken = version === undefined ? "no known version" : `version ${version}`;
  return `${name} speaks ${spoken} of the Agent Client Protocol; ao speaks ${VERSION}.`;
}
