import { z } from "zod";
import { addTokens, NO_TOKENS } from "../../../core/cost/usage.ts";
import type { Notes, Usage } from "../../driver.ts";
import type { Api } from "./api.ts";
import { Session } from "./messages.ts";

/** Adds up what the sessions of a conversation have used, those of sub-agents too. */
export interface Meter {
  /** Asks the program and reports. */
  read(sessionId: string): Promise<void>;
  /** A new session takes the place of the one that was counted. */
  reset(): void;
}

const Counted = z.object({
  inputTokens: z.number(),
  cachedTokens: z.number(),
  outputTokens: z.number(),
  costUsd: z.number(),
});
type Counted = z.infer<typeof Counted>;

const NOTHING: Counted = { ...NO_TOKENS, costUsd: 0 };
const LAST = "opencode.used";
const BEFORE = "opencode.used-before";
/** Sub-agents of sub-agents. */
const MAX_DEPTH = 5;

/** Makes the meter; the program counts a session over all its processes. */
export function createMeter(api: Api, notes: Notes, report: (usage: Usage) => void): Meter {
  let before = readNote(notes.get(BEFORE));
  let last = readNote(notes.get(LAST));
  let isReported = false;
  return {
    read: async (sessionId) => {
      const session = Session.parse((await api.get(`/session/${sessionId}`)).data);
      const total = add(count(session), await readChildren(api, sessionId, MAX_DEPTH));
      // What an earlier process has noted it may not have reported.
      if (isReported && JSON.stringify(total) === JSON.stringify(last)) return;
      isReported = true;
      last = total;
      notes.set(LAST, JSON.stringify(last));
      const { model } = session;
      report({ ...add(before, last), model: model == null ? null : `${model.providerID}/${model.id}` });
    },
    reset: () => {
      before = add(before, last);
      last = NOTHING;
      notes.set(BEFORE, JSON.stringify(before));
      notes.set(LAST, JSON.stringify(last));
    },
  };
}

async function readChildren(api: Api, sessionId: string, depth: number): Promise<Counted> {
  if (depth === 0) return NOTHING;
  const { data } = await api.get(`/session/${sessionId}/children`);
  let sum = NOTHING;
  for (const child of z.array(Session).parse(data)) {
    sum = add(sum, add(count(child), await readChildren(api, child.id, depth - 1)));
  }
  return sum;
}

function count({ cost, tokens }: Session): Counted {
  if (tokens == null) return { ...NOTHING, costUsd: cost };
  const { input, output, reasoning, cache } = tokens;
  const inputTokens = input + cache.read + cache.write;
  return { inputTokens, cachedTokens: cache.read, outputTokens: output + reasoning, costUsd: cost };
}

function add(one: Counted, other: Counted): Counted {
  return { ...addTokens(one, other), costUsd: one.costUsd + other.costUsd };
}

function readNote(note: string | null): Counted {
  return note === null ? NOTHING : Counted.parse(JSON.parse(note));
}
