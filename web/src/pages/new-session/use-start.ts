import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { call } from "../../data/call.ts";
import { capacityQuery } from "../../data/capacity-query.ts";
import type { Load, Planned } from "./plan-start.ts";

/** A session that could not be created. */
export interface Refusal {
  readonly name: string;
  readonly error: Error;
}

interface Start {
  readonly isBusy: boolean;
  readonly refusals: readonly Refusal[];
  /** Creates the sessions; resolves to the ids of the created ones. */
  readonly start: (planned: readonly Planned[]) => Promise<readonly string[]>;
}

/** Creates sessions; each has its own key, so that pressing twice creates nothing twice. */
export function useStart(): Start {
  const [isBusy, setBusy] = useState(false);
  const [refusals, setRefusals] = useState<readonly Refusal[]>([]);
  const running = useRef(false);
  const start = async (planned: readonly Planned[]): Promise<readonly string[]> => {
    if (running.current) return [];
    running.current = true;
    setBusy(true);
    const results = await Promise.allSettled(planned.map(({ body }) => call("POST /api/sessions", { input: body })));
    running.current = false;
    setBusy(false);
    setRefusals(
      results.flatMap((result, index) =>
        result.status === "rejected" ? [{ name: planned[index]?.name ?? "", error: toError(result.reason) }] : [],
      ),
    );
    return results.flatMap((result) => (result.status === "fulfilled" ? [result.value.id] : []));
  };
  return { isBusy, refusals, start };
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}

/** How many agents are working and waiting. */
export function useLoad(): Load {
  const { data } = useQuery(capacityQuery());
  return { used: data?.slots.used ?? 0, limit: data?.slots.limit ?? null, queued: data?.queue.length ?? 0 };
}
