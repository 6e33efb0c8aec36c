import type { Notes, Usage } from "../../driver.ts";
import { type NoteRequest, note, type ReportCall, type Step, step } from "../../kit/reducer.ts";
import type { PromptAnswer, Tokens } from "./messages.ts";
import type { Settings } from "./settings.ts";

/**
 * How much of an agent's usage, which agents count in different ways, was already reported, even by an earlier process.
 */
export interface Meter {
  readonly counts: Settings["usage"];
  readonly total: Count;
  readonly costUsd: number;
  /** The conversation's model setting. */
  readonly model: string | null;
}

type Count = Pick<Usage, "inputTokens" | "cachedTokens" | "outputTokens">;
type MeterStep = Step<Meter, NoteRequest>;

const COST = "acp.cost";
const TOTAL = "acp.tokens";
const NOTHING: Count = { inputTokens: 0, cachedTokens: 0, outputTokens: 0 };

/** The meter as the last process left it. */
export function readMeter(
  { usage: counts, model = null }: Pick<Settings, "usage"> & { readonly model?: string | null | undefined },
  notes: Pick<Notes, "get">,
): Meter {
  const total = counts === "conversation" ? readTotal(notes.get(TOTAL)) : NOTHING;
  return { counts, total, costUsd: Number(notes.get(COST) ?? "0"), model };
}

/** The tokens of one model call. */
export function addCall(meter: Meter, tokens: Tokens): MeterStep {
  return step(meter, used(toCount(tokens), meter.model));
}

/** The cost of the whole conversation in dollars. */
export function setCost(meter: Meter, amount: number): MeterStep {
  if (amount === meter.costUsd) return step(meter);
  const costUsd = amount - meter.costUsd;
  const reports: readonly ReportCall[] = costUsd > 0 ? [["used", { ...NOTHING, costUsd, model: meter.model }]] : [];
  return step({ ...meter, costUsd: amount }, reports, [note(COST, String(amount))]);
}

/** The answer to a prompt. */
export function addAnswer(meter: Meter, { usage, _meta }: PromptAnswer): MeterStep {
  const ofQuota = readQuota(_meta?.quota, meter.model);
  if (usage == null || meter.counts === "none") return step(meter, ofQuota);
  if (meter.counts === "turn") return step(meter, [...ofQuota, ...used(toCount(usage), meter.model)]);
  const added = addTotal(meter, toCount(usage));
  return { ...added, reports: [...ofQuota, ...added.reports] };
}

/** The conversation is new: nothing of it was reported yet. */
export function resetMeter(meter: Meter): MeterStep {
  const requests = [
    ...(meter.costUsd === 0 ? [] : [note(COST, "0")]),
    ...(isNothing(meter.total) ? [] : [noteTotal(NOTHING)]),
  ];
  return step({ ...meter, total: NOTHING, costUsd: 0 }, [], requests);
}

function addTotal(meter: Meter, now: Count): MeterStep {
  const { total } = meter;
  // A total never shrinks: if it does, it restarted or was not a total.
  const isSum = now.inputTokens >= total.inputTokens && now.outputTokens >= total.outputTokens;
  const before = isSum ? total : NOTHING;
  const added = {
    inputTokens: now.inputTokens - before.inputTokens,
    cachedTokens: Math.max(0, now.cachedTokens - before.cachedTokens),
    outputTokens: now.outputTokens - before.outputTokens,
  };
  const requests = meter.counts === "conversation" ? [noteTotal(now)] : [];
  return step({ ...meter, total: now }, used(added, meter.model), requests);
}

function readQuota(quota: Quota, model: string | null): readonly ReportCall[] {
  const models = quota?.model_usage ?? [];
  // Only the first call of a turn names the chosen model; the rest name the setting.
  const chosen = models.find((one) => !isAutomatic(one.model))?.model;
  if (models.length === 0 && quota?.token_count != null) return used(fromQuota(quota.token_count), model);
  return models.flatMap((one) =>
    used(fromQuota(one.token_count), isAutomatic(one.model) ? (chosen ?? one.model) : one.model),
  );
}

function used(tokens: Count, model: string | null): readonly ReportCall[] {
  return tokens.inputTokens + tokens.outputTokens > 0 ? [["used", { ...tokens, costUsd: 0, model }]] : [];
}

function noteTotal(total: Count): NoteRequest {
  return note(TOTAL, JSON.stringify(total));
}

function isNothing({ inputTokens, outputTokens }: Count): boolean {
  return inputTokens + outputTokens === 0;
}

// Some include cached tokens in the input, some do not; the total shows which.
function toCount({ inputTokens, outputTokens, totalTokens, cachedReadTokens, cachedWriteTokens }: Tokens): Count {
  const cached = (cachedReadTokens ?? 0) + (cachedWriteTokens ?? 0);
  const isBeside = (totalTokens ?? 0) >= inputTokens + outputTokens + cached;
  return {
    inputTokens: inputTokens + (isBeside ? cached : 0),
    cachedTokens: cachedReadTokens ?? 0,
    outputTokens,
  };
}

function isAutomatic(model: string): boolean {
  return /^auto\b/.test(model);
}

type Quota = NonNullable<PromptAnswer["_meta"]>["quota"];

function fromQuota(count: { readonly input_tokens: number; readonly output_tokens: number }): Count {
  return { inputTokens: count.input_tokens, cachedTokens: 0, outputTokens: count.output_tokens };
}

function readTotal(note: string | null): Count {
  return note === null ? NOTHING : { ...NOTHING, ...(JSON.parse(note) as Partial<Count>) };
}
