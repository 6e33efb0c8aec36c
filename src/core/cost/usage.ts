import type { CostReason } from "./reason.ts";

export interface Tokens {
  /** All input tokens, including cached ones. */
  readonly inputTokens: number;
  /** The part of the input that came from a cache. */
  readonly cachedTokens: number;
  readonly outputTokens: number;
}

/** An agent's usage report. */
export interface UsedReport {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** 0: not reported. */
  readonly costUsd: number;
  readonly cachedTokens?: number;
  readonly model?: string;
}

/** Usage of one model on one day for one reason. */
export interface UsagePart extends Tokens {
  /** Whole days since 1970, in UTC. */
  readonly day: number;
  /** null: not reported. */
  readonly model: string | null;
  /** Absent: work. */
  readonly reason?: CostReason;
  /** Dollars that the agent reported. */
  readonly costUsd: number;
  /** Tokens without money; their cost can only be estimated. */
  readonly unpaid: Tokens;
}

/** A session's total usage. */
export interface SessionUsage extends Tokens {
  readonly costUsd: number;
  /** The agent reports money separately from tokens: then it covers all of them. */
  readonly paysApart: boolean;
  /** In day order. */
  readonly parts: readonly UsagePart[];
}

/** Older parts lose their day. */
const MAX_PARTS = 100;
const DAY_MS = 86_400_000;

export const NO_TOKENS: Tokens = { inputTokens: 0, cachedTokens: 0, outputTokens: 0 };

export const NO_USAGE: SessionUsage = { ...NO_TOKENS, costUsd: 0, paysApart: false, parts: [] };

/** Adds an agent's report. */
export function addUsage(
  before: SessionUsage,
  report: UsedReport & { readonly reason?: CostReason },
  at: number,
): SessionUsage {
  const tokens = readTokens(report);
  const known = upgradeUsage(before, at);
  const part: UsagePart = {
    day: dayOf(at),
    model: report.model ?? null,
    ...(report.reason === undefined || report.reason === "work" ? {} : { reason: report.reason }),
    ...tokens,
    costUsd: report.costUsd,
    unpaid: report.costUsd > 0 ? NO_TOKENS : tokens,
  };
  const isMoneyOnly = report.costUsd > 0 && tokens.inputTokens + tokens.outputTokens === 0;
  return {
    ...addTokens(known, tokens),
    costUsd: known.costUsd + report.costUsd,
    paysApart: known.paysApart || isMoneyOnly,
    parts: bounded(join(known.parts, part)),
  };
}

/** States from before parts were kept have only sums; each counts as one part, on the day it is first read. */
export function upgradeUsage(usage: SessionUsage, at: number): SessionUsage {
  if (usage.parts !== undefined) return usage;
  const { inputTokens, outputTokens, costUsd } = usage as Pick<UsagePart, "inputTokens" | "outputTokens" | "costUsd">;
  return addUsage(NO_USAGE, { inputTokens, outputTokens, costUsd }, at);
}

export function dayOf(at: number): number {
  return Math.floor(at / DAY_MS);
}

export function addTokens(a: Tokens, b: Tokens): Tokens {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    outputTokens: a.outputTokens + b.outputTokens,
  };
}

function readTokens({ inputTokens, outputTokens, cachedTokens = 0 }: UsedReport): Tokens {
  return { inputTokens, outputTokens, cachedTokens: Math.min(cachedTokens, inputTokens) };
}

function join(parts: readonly UsagePart[], part: UsagePart): readonly UsagePart[] {
  const at = parts.findIndex(
    ({ day, model, reason }) => day === part.day && model === part.model && reason === part.reason,
  );
  const same = parts[at];
  return same === undefined ? [...parts, part] : parts.with(at, merge(same, part));
}

// The oldest part is merged into the next of its kind, or the next of all: a sum never shrinks.
function bounded(parts: readonly UsagePart[]): readonly UsagePart[] {
  const [oldest, ...rest] = parts;
  if (oldest === undefined || parts.length <= MAX_PARTS) return parts;
  const at = Math.max(
    0,
    rest.findIndex(({ model, reason }) => model === oldest.model && reason === oldest.reason),
  );
  return rest.map((part, index) => (index === at ? merge(part, oldest) : part));
}

function merge(part: UsagePart, other: UsagePart): UsagePart {
  return {
    day: part.day,
    model: part.model === other.model ? part.model : null,
    ...(part.reason !== undefined && part.reason === other.reason ? { reason: part.reason } : {}),
    ...addTokens(part, other),
    costUsd: part.costUsd + other.costUsd,
    unpaid: addTokens(part.unpaid, other.unpaid),
  };
}
