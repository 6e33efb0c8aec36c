import type { ChangeObservation, ReportedCheck, ReportedQueue } from "../../core/change/observation.ts";
import type { MergeRequest, Scm } from "../../ports/scm.ts";

export interface FakeQueue {
  /** Every merge goes through the queue. */
  isRequired: boolean;
  /** Numbers of the pull requests in it, in order. */
  list(): readonly number[];
  mergeNext(): Promise<void>;
  /** `check`: the one that failed there. */
  remove(number: number, cause: Removal["cause"], check?: ReportedCheck<string>): void;
}

type Removal = NonNullable<ReportedQueue<string>["removal"]>;

type Report = (number: number, facts: Partial<ChangeObservation<string>>) => void;

/** An in-memory merge queue in front of the forge's own merge. */
export function createFakeQueue(scm: Scm, report: Report): { readonly queue: FakeQueue } & Pick<Scm, "merge"> {
  let waiting: readonly MergeRequest[] = [];
  const removals = new Map<number, Removal>();
  let count = 0;
  const show = (number: number): void => {
    const index = waiting.findIndex((one) => one.number === number);
    report(number, { queue: { position: index < 0 ? null : index + 1, removal: removals.get(number) ?? null } });
  };
  const take = (number: number): void => {
    waiting = waiting.filter((one) => one.number !== number);
    for (const one of waiting) show(one.number);
  };
  const queue: FakeQueue = {
    isRequired: false,
    list: () => waiting.map(({ number }) => number),
    mergeNext: async () => {
      const [first] = waiting;
      const answer = first === undefined ? null : await scm.merge(first);
      if (first === undefined || answer?.kind !== "merged") throw new Error(`nothing to merge: ${answer?.kind}`);
      take(first.number);
      report(first.number, { state: "merged", by: "the queue", mergeCommit: answer.commit });
    },
    remove: (number, cause, check) => {
      count += 1;
      const failed = check === undefined ? {} : { check };
      removals.set(number, { id: `removal-${count}`, cause, reason: "its checks failed", ...failed });
      take(number);
      show(number);
    },
  };
  const merge: Scm["merge"] = async (request) => {
    if (!queue.isRequired) return scm.merge(request);
    const done = await scm.reconcileMerge(request);
    if (done.kind === "done") return done.value;
    if (!queue.list().includes(request.number)) waiting = [...waiting, request];
    show(request.number);
    const position = queue.list().indexOf(request.number) + 1;
    return {
      kind: "queued",
      name: "the forge's merge queue",
      position,
      removal: removals.get(request.number)?.id ?? null,
    };
  };
  return { queue, merge };
}
