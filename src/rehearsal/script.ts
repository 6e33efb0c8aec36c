import { z } from "zod";
import type { UsedReport } from "../core/cost/usage.ts";

interface Edit {
  readonly path: string;
  readonly text: string;
}

interface Values {
  readonly say: string;
  readonly note: string;
  /** Milliseconds, before the pace. */
  readonly wait: number;
  readonly write: Edit;
  readonly append: Edit;
  readonly replace: { readonly path: string; readonly find: string; readonly with: string };
  readonly delete: string;
  readonly run: readonly string[];
  readonly commit: string;
  readonly ask: {
    readonly question: string;
    readonly choices: readonly string[];
    readonly then: Readonly<Record<string, readonly Step[]>>;
  };
  readonly usage: UsedReport;
  readonly status: "working" | "idle" | "waiting";
  readonly done: string;
  readonly crash: { readonly code: number } | { readonly signal: (typeof SIGNALS)[number] };
  readonly hang: true;
  readonly maybe: { readonly chance: number; readonly do: readonly Step[]; readonly else: readonly Step[] };
}

/** One thing that the agent does. */
export type Step = { readonly [K in keyof Values]: { readonly kind: K; readonly value: Values[K] } }[keyof Values];

/** A step of one kind. */
export type StepOf<K extends Step["kind"]> = Extract<Step, { readonly kind: K }>["value"];

const SIGNALS = ["SIGKILL", "SIGTERM", "SIGABRT", "SIGSEGV"] as const;
const UNIT_MS = { ms: 1, s: 1000, m: 60_000 } as const;

const Wait = z.string().transform((text, context) => {
  const [, figure, unit] = /^(\d{1,6})(ms|s|m)$/.exec(text) ?? [];
  if (figure !== undefined) return Number(figure) * UNIT_MS[unit as keyof typeof UNIT_MS];
  context.addIssue({ code: "custom", message: "expected a time such as 200ms, 3s or 1m" });
  return z.NEVER;
});

const Path = z
  .string()
  .min(1)
  .refine((path) => !path.startsWith("/") && !path.split("/").some((part) => part === ".." || part === ".git"), {
    message: "expected a path inside the working folder",
  });

const Count = z.number().nonnegative().default(0);
const Steps: z.ZodType<readonly Step[]> = z.lazy(() => z.array(Step));

const Ask = z
  .strictObject({
    question: z.string().min(1),
    choices: z.array(z.string().min(1)).max(20).default([]),
    // biome-ignore lint/suspicious/noThenProperty: a map of steps, which cannot be called
    then: z.record(z.string(), Steps).default({}),
  })
  .superRefine(({ choices, then }, context) => {
    for (const choice of Object.keys(then)) {
      if (choice === "else" || choices.length === 0 || choices.includes(choice)) continue;
      context.addIssue({ code: "custom", path: ["then", choice], message: "is not one of the choices" });
    }
  });

const STEP = {
  say: z.string(),
  note: z.string(),
  wait: Wait,
  write: z.strictObject({ path: Path, text: z.string() }),
  append: z.strictObject({ path: Path, text: z.string() }),
  replace: z.strictObject({ path: Path, find: z.string().min(1), with: z.string() }),
  delete: Path,
  run: z.array(z.string()).min(1),
  commit: z.string().min(1),
  ask: Ask,
  usage: z.strictObject({
    inputTokens: Count,
    outputTokens: Count,
    costUsd: Count,
    cachedTokens: z.number().min(0).optional(),
    model: z.string().min(1).optional(),
  }),
  status: z.enum(["working", "idle", "waiting"]),
  done: z.string(),
  crash: z.union(
    [z.strictObject({ code: z.int().min(0).max(255) }), z.strictObject({ signal: z.enum(SIGNALS) })],
    `expected { code: 0 to 255 } or { signal: ${SIGNALS.join(" | ")} }`,
  ),
  hang: z.literal(true),
  maybe: z.strictObject({ chance: z.number().min(0).max(1), do: Steps, else: Steps.default([]) }),
};

// One key selects the kind of step; as an object of optional keys, a mistake is reported at its own place.
const Step: z.ZodType<Step> = z
  .strictObject(STEP)
  .partial()
  .transform((written, context) => {
    const [first, ...more] = Object.entries(written).filter(([, value]) => value !== undefined);
    if (first !== undefined && more.length === 0) return { kind: first[0], value: first[1] } as Step;
    context.addIssue({ code: "custom", message: `expected exactly one of ${Object.keys(STEP).join(", ")}` });
    return z.NEVER;
  });

const Pattern = z.string().transform((text, context) => {
  try {
    return new RegExp(text, "i");
  } catch (error) {
    context.addIssue({ code: "custom", message: (error as Error).message });
    return z.NEVER;
  }
});

const When = z.strictObject({
  kind: z.enum(["task", "message", "resume", "any"]).default("any"),
  matches: Pattern.optional(),
  issue: z.string().min(1).optional(),
  times: z.int().min(1).optional(),
});
export type When = z.infer<typeof When>;

/** What the agent plays: the first scene that matches a message. */
export const Script = z.strictObject({
  seed: z.union([z.number(), z.string()]).default(0),
  pace: z.number().min(0).max(1000).default(1),
  scenes: z.array(z.strictObject({ when: When.prefault({}), do: Steps })).min(1),
});
export type Script = z.infer<typeof Script>;
