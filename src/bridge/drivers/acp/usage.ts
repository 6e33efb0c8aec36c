import type { Notes, Usage } from "../../driver.ts";
import type { PromptAnswer, Tokens } from "./messages.ts";
import type { Settings } from "./settings.ts";

/** Turns what an agent counts, in one of several ways, into what is new. */
export interface Meter {
  /** Tokens of one model call. */
  addCall(tokens: Tokens): void;
  /** Dollars of the whole conversation. */
  setCost(amount: number): void;
  /** The answer to a prompt. */
  addAnswer(answer: PromptAnswer): void;
  /** Nothing of this conversation was told yet. */
  reset(): void;
}

const COST = "acp.cost";
const TOTAL = "acp.tokens";
const NOTHING = { inputTokens: 0, cachedTokens: 0, outputTokens: 0 };

/** Makes the meter of a session; `report` gets only what was not told before, also by an earlier process. */
export function createMeter(options: {
  readonly counts: Settings["usage"];
  readonly notes: Notes;
  /** What the conversation is set to. */
  readonly model: () => string | null;
  readonly report: (usage: Usage) => void;
}): Meter {
  const { notes, counts } = options;
  let total = counts === "conversation" ? readTotal(notes.get(TOTAL)) : NOTHING;
  const tell = (tokens: typeof NOTHING, model = options.model()): void => {
    if (tokens.inputTokens + tokens.outputTokens > 0) options.report({ ...tokens, costUsd: 0, model });
  };
  const addTotal = (now: typeof NOTHING): void => {
    // A sum does not shrink: then it began anew, or was none.
    const isSum = now.inputTokens >= total.inputTokens && now.outputTokens >= total.outputTokens;
    const before = isSum ? total : NOTHING;
    total = now;
    if (counts === "conversation") notes.set(TOTAL, JSON.stringify(now));
    tell({
      inputTokens: now.inputTokens - before.inputTokens,
      cachedTokens: Math.max(0, now.cachedTokens - before.cachedTokens),
      outputTokens: now.outputTokens - before.outputTokens,
    });
  };
  const addQuota = (quota: Quota): void => {
    const models = quota?.model_usage ?? [];
    // Only the first call of a turn has the name of the model that was chosen; the rest have that of the setting.
    const chosen = models.find(({ model }) => !isAutomatic(model))?.model;
    for (const { model, token_count: count } of models) {
      tell(fromCount(count), isAutomatic(model) ? (chosen ?? model) : model);
    }
    if (models.length === 0 && quota?.token_count != null) tell(fromCount(quota.token_count));
  };
  return {
    addCall: (tokens) => tell(toTokens(tokens)),
    setCost: (amount) => {
      const told = Number(notes.get(COST) ?? "0");
      if (amount === told) return;
      notes.set(COST, String(amount));
      if (amount > told) options.report({ ...NOTHING, costUsd: amount - told, model: options.model() });
    },
    addAnswer: ({ usage, _meta }) => {
      addQuota(_meta?.quota);
      if (usage == null || counts === "none") return;
      if (counts === "turn") tell(toTokens(usage));
      else addTotal(toTokens(usage));
    },
    reset: () => {
      total = NOTHING;
      if (notes.get(COST) !== null) notes.set(COST, "0");
      if (notes.get(TOTAL) !== null) notes.set(TOTAL, JSON.stringify(NOTHING));
    },
  };
}

// Some count cached tokens with the input, some beside it; the sum of all tells which.
function toTokens({
  inputTokens,
  outputTokens,
  totalTokens,
  cachedReadTokens,
  cachedWriteTokens,
}: Tokens): typeof NOTHING {
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

function fromCount(count: { readonly input_tokens: number; readonly output_tokens: number }): typeof NOTHING {
  return { inputTokens: count.input_tokens, cachedTokens: 0, outputTokens: count.output_tokens };
}

function readTotal(note: string | null): typeof NOTHING {
  return note === null ? NOTHING : { ...NOTHING, ...(JSON.parse(note) as Partial<typeof NOTHING>) };
}
