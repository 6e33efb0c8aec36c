import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { call } from "../../data/call.ts";
import { capacityQuery } from "../../data/capacity-query.ts";
import { type Draft, draftFor, EMPTY_DRAFT, type KeptDraft, type Load, type Planned } from "./plan-start.ts";

/** A session that could not be created. */
export interface Refusal {
  readonly name: string;
  readonly error: Error;
}

interface Started {
  /** The ids of the created sessions. */
  readonly created: readonly string[];
  readonly refused: readonly Planned[];
}

interface Start {
  readonly isBusy: boolean;
  /** Of this project. */
  readonly refusals: readonly Refusal[];
  readonly start: (planned: readonly Planned[]) => Promise<Started>;
}

/** Creates sessions; each has its own key, so that pressing twice creates nothing twice. */
export function useStart(project: string): Start {
  const [isBusy, setBusy] = useState(false);
  const [last, setLast] = useState<{ readonly project: string; readonly refusals: readonly Refusal[] } | null>(null);
  const running = useRef(false);
  const start = async (planned: readonly Planned[]): Promise<Started> => {
    if (running.current) return { created: [], refused: planned };
    running.current = true;
    setBusy(true);
    const results = await Promise.allSettled(planned.map(({ body }) => call("POST /api/sessions", { input: body })));
    running.current = false;
    setBusy(false);
    const refusals = results.flatMap((result, index) =>
      result.status === "rejected" ? [{ name: planned[index]?.name ?? "", error: toError(result.reason) }] : [],
    );
    setLast({ project, refusals });
    return {
      created: results.flatMap((result) => (result.status === "fulfilled" ? [result.value.id] : [])),
      refused: planned.filter((_, index) => results[index]?.status === "rejected"),
    };
  };
  return { isBusy, refusals: last?.project === project ? last.refusals : [], start };
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}

/** The input so far, which stays when another project is chosen. */
export function useStartDraft(project: string): readonly [Draft, (changes: Partial<Draft>) => void] {
  const [kept, setKept] = useState<KeptDraft>({ project, draft: EMPTY_DRAFT });
  const current = draftFor(kept, project);
  if (current !== kept) setKept(current);
  const change = (changes: Partial<Draft>): void =>
    setKept((old) => ({ project, draft: { ...draftFor(old, project).draft, ...changes } }));
  return [current.draft, change];
}

/** How many agents are working and waiting. */
export function useLoad(): Load {
  const { data } = useQuery(capacityQuery());
  return { used: data?.slots.used ?? 0, limit: data?.slots.limit ?? null, queued: data?.queue.length ?? 0 };
}
