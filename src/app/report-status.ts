import type { ChangeState } from "../core/change/state.ts";
import { describeStatus, type StatusComment } from "../core/change/status-comment.ts";
import { formatMoney } from "../core/cost/format.ts";
import { describeSpent, spentOn } from "../core/cost/spent.ts";
import type { Engine } from "../engine/engine.ts";
import type { Host } from "../ports/host.ts";
import type { Scm, ScmProject } from "../ports/scm.ts";
import type { StoredEvent } from "../ports/store.ts";
import { createPacedWrites } from "./paced-writes.ts";

/** A pull request that ended longer ago already has its final comment. */
const RECENT_MS = 24 * 60 * 60_000;

export interface StatusSource {
  readonly engine: Pick<Engine, "loop" | "subscribe">;
  readonly host: Pick<Host, "clock" | "log">;
  readonly scmOf: (projectId: string) => { readonly scm: Scm; readonly project: ScmProject };
}

/**
 * Keeps one comment with the status on each remote pull request. The text follows from the state and the forge finds
 * its own comment, so the next daemon makes up for one that died, with the same comment.
 */
export function reportStatus({ engine, host, scmOf }: StatusSource): () => void {
  const world = engine.loop.world.view;
  const written = new Map<string, string>();
  const statusOf = (change: ChangeState): StatusComment | null => {
    const spent = spentOn(world, change);
    if (spent === null || spent.total.costUsd === 0) return describeStatus(world, change, null);
    // What is wasted is known at the end.
    const cost = change.phase === "open" ? formatMoney(spent.total) : describeSpent(spent);
    return describeStatus(world, change, cost);
  };
  const writes = createPacedWrites({
    clock: host.clock,
    groupOf: (key) => world.change(key)?.projectId ?? "",
    write: async (key) => {
      const change = world.change(key);
      const status = change === undefined ? null : statusOf(change);
      if (change === undefined || status === null || written.get(key) === status.gist) return false;
      const { scm, project } = scmOf(change.projectId);
      if (scm.remote?.showStatus === undefined) return false;
      await scm.remote.showStatus(project, change.number, status.text);
      written.set(key, status.gist);
      return true;
    },
    onError: (key, error) => host.log.warn("a pull request does not show its status", { key, reason: String(error) }),
  });
  const check = (change: ChangeState): void => {
    const status = statusOf(change);
    // The final status does not wait: there is only one.
    if (status !== null && written.get(change.key) !== status.gist) writes.request(change.key, change.phase !== "open");
  };
  const changesOf = ({ stream }: StoredEvent): readonly ChangeState[] => {
    if (stream.startsWith("session:")) return [...world.changesOf(stream.slice("session:".length))];
    const change = stream.startsWith("change:") ? world.change(stream.slice("change:".length)) : undefined;
    return change === undefined ? [] : [change];
  };

  for (const change of world.changes()) {
    if (change.phase === "open" || host.clock.now() - change.updatedAt < RECENT_MS) check(change);
  }
  const unsubscribe = engine.subscribe((events) => {
    for (const change of new Set(events.flatMap(changesOf))) check(change);
  });
  return () => {
    unsubscribe();
    writes.close();
  };
}
