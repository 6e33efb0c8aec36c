import { z } from "zod";
import { addTokens, NO_TOKENS } from "../../../core/cost/usage.ts";
import type { Notes } from "../../driver.ts";
import { type NoteRequest, note, type Step, step } from "../../kit/reducer.ts";
import type { Api } from "./api.ts";
import { Session } from "./messages.ts";

/** The usage of a conversation's sessions; the program counts a session across all its processes. */
export interface Meter {
  /** The usage of lost sessions. */
  readonly before: Counted;
  readonly last: Counted;
  /** Has this process reported it? An earlier one may have recorded more than it reported. */
  readonly isReported: boolean;
}

/** The usage of a session so far, with its sub-agents. */
export interface Used {
  readonly total: Counted;
  readonly model: string | null;
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
/** Nesting of sub-agents. */
const MAX_DEPTH = 5;

/** The meter as an earlier process left it. */
export function readMeter(notes: Pick<Notes, "get">): Meter {
  return { before: readNote(notes.get(BEFORE)), last: readNote(notes.get(LAST)), isReported: false };
}

/** Sets the session's total usage. */
export function count(meter: Meter, { total, model }: Used): Step<Meter, NoteRequest> {
  if (meter.isReported && JSON.stringify(total) === JSON.stringify(meter.last)) return step(meter);
  const usage = { ...add(meter.before, total), model };
  return step({ ...meter, last: total, isReported: true }, [["usedInAll", usage]], [note(LAST, JSON.stringify(total))]);
}

/** A new session replaces the one that was counted. */
export function startOver(meter: Meter): Step<Meter, NoteRequest> {
  const before = add(meter.before, meter.last);
  const notes = [note(BEFORE, JSON.stringify(before)), note(LAST, JSON.stringify(NOTHING))];
  return step({ ...meter, before, last: NOTHING }, [], notes);
}

/** Reads a session's usage from the program. */
export async function readUsage(api: Api, sessionId: string): Promise<Used> {
  const session = Session.parse((await api.get(`/session/${sessionId}`)).data);
  const { model } = session;
  return {
    total: add(countSession(session), await readChildren(api, sessionId, MAX_DEPTH)),
    model: model == null ? null : `${model.providerID}/${model.id}`,
  };
}

async function readChildren(api: Api, sessionId: string, depth: number): Promise<Counted> {
  if (depth === 0) return NOTHING;
  const { data } = await api.get(`/session/${sessionId}/children`);
  let sum = NOTHING;
  for (const child of z.array(Session).parse(data)) {
    sum = add(sum, add(countSession(child), await readChildren(api, child.id, depth - 1)));
  }
  return sum;
}

function countSession({ cost, tokens }: Session): Counted {
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
