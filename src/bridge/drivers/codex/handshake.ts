import { CLOSED, type Rpc, RpcError } from "../../kit/rpc.ts";
import { ConfigAnswer, ThreadAnswer } from "./messages.ts";
import type { Settings } from "./settings.ts";
import { composeThread, gitFolders } from "./thread.ts";

export interface OpenOptions {
  readonly rpc: Rpc;
  readonly settings: Settings;
  readonly cwd: string;
  readonly isEnclosed: boolean;
  /** The thread of an earlier process. */
  readonly known: string | null;
  readonly brief: string | null;
}

/** The opened thread: the earlier one, a new one, or a new one because the earlier one is gone. */
export interface Opened {
  readonly threadId: string;
  readonly past: "none" | "loaded" | "lost";
  /** Why the earlier one was lost. */
  readonly reason: string;
  readonly model: string | null;
}

/** Initializes the program and opens a thread. Rejects with a sentence for a person. */
export async function openThread(options: OpenOptions): Promise<Opened> {
  const { rpc, settings, cwd, known } = options;
  await ask(options, "initialize", { clientInfo: { name: "ao", title: "ao", version: "1" }, capabilities: null });
  rpc.notify("initialized", {});
  const config = ConfigAnswer.safeParse(await ask(options, "config/read", { includeLayers: false, cwd })).data?.config;
  const own = config?.sandbox_workspace_write?.writable_roots ?? [];
  const roots = [...new Set([...own, ...gitFolders(cwd)])];
  const setup = {
    ...composeThread(settings, { roots, isEnclosed: options.isEnclosed }),
    ...instructions(config?.developer_instructions ?? null, options.brief),
  };
  const resumed = known === null ? "" : await resume(options, known, setup);
  if (known !== null && typeof resumed !== "string") {
    return { threadId: known, past: "loaded", reason: "", model: resumed.model };
  }
  const answer = ThreadAnswer.safeParse(await ask(options, "thread/start", setup)).data;
  if (answer === undefined) throw new Error("Codex started no conversation, and gave no reason.");
  const reason = typeof resumed === "string" ? resumed : "";
  return { threadId: answer.thread.id, past: known === null ? "none" : "lost", reason, model: answer.model ?? null };
}

// These instructions replace the user's own, so include theirs.
function instructions(own: string | null, brief: string | null): { readonly developerInstructions?: string } {
  if (brief === null) return {};
  return { developerInstructions: own === null ? brief : `${own}\n\n${brief}` };
}

// A string is the reason why the thread is gone; a thread that never got a prompt is not saved.
async function resume(
  { rpc, settings }: OpenOptions,
  threadId: string,
  setup: object,
): Promise<string | { readonly model: string | null }> {
  const params = { threadId, ...setup, excludeTurns: true };
  try {
    const answer = await within(settings, "thread/resume", rpc.request("thread/resume", params));
    return { model: ThreadAnswer.safeParse(answer).data?.model ?? null };
  } catch (error) {
    if (error instanceof RpcError && /no rollout found|not found/i.test(error.message)) return error.message;
    throw sentence(error, "thread/resume");
  }
}

async function ask({ rpc, settings }: OpenOptions, method: string, params: object): Promise<unknown> {
  try {
    return await within(settings, method, rpc.request(method, params));
  } catch (error) {
    throw sentence(error, method);
  }
}

function sentence(error: unknown, method: string): unknown {
  if (!(error instanceof RpcError) || error.code === CLOSED) return error;
  return new Error(`Codex refused to start (${method}): ${error.message}`);
}

async function within<T>({ startLimitMs, command }: Settings, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const sentence = `Codex did not answer (${what}) within ${Math.ceil(startLimitMs / 1000)} s.`;
    const doubt = `Is \`${command.join(" ")}\` Codex 0.166.0 or newer?`;
    timer = setTimeout(() => reject(new Error(`${sentence} ${doubt}`)), startLimitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
