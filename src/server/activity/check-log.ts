import { addCheckRun, type CheckHistory } from "../../core/activity/check-history.ts";
import { splitStream } from "../../core/stream.ts";
import type { Store } from "../../ports/store.ts";
import type { CheckHistoryView } from "../../protocol/views/check-history.ts";
import { createPace, readLog } from "../read-log.ts";
import { toTime } from "../time.ts";

/** How many events are read initially, from the end of the log; older runs are not worth reading. */
const MAX_EVENTS = 200_000;

/** The last runs of each project's checks, kept between requests. */
export interface CheckLog {
  read(projectId: string): Promise<CheckHistory>;
}

/** Reads the end of the log on the first request, and only new events later. */
export function createCheckLog(store: Pick<Store, "read">, lastPosition: () => number): CheckLog {
  const histories = new Map<string, CheckHistory>();
  let position: number | null = null;
  const catchUp = async (): Promise<void> => {
    position ??= Math.max(0, lastPosition() - MAX_EVENTS);
    await readLog(store, { after: position, until: lastPosition(), pace: createPace() }, (stored) => {
      const { stream, event, at } = stored;
      position = stored.position;
      if (event.type !== "check.finished") return;
      const { id: changeKey } = splitStream(stream);
      const projectId = changeKey.slice(0, changeKey.lastIndexOf("/"));
      histories.set(projectId, addCheckRun(histories.get(projectId) ?? {}, event, { changeKey, at }));
    });
  };
  let reading: Promise<void> = Promise.resolve();
  return {
    read: async (projectId) => {
      reading = reading.catch(() => undefined).then(catchUp);
      await reading;
      return histories.get(projectId) ?? {};
    },
  };
}

/** A history as the API returns it. */
export function toCheckHistoryView(history: CheckHistory): CheckHistoryView {
  const data = Object.entries(history).map(([check, runs]) => ({
    check,
    runs: runs.map(({ changeKey, at, ...run }) => ({ ...run, pullRequest: changeKey, at: toTime(at) })),
  }));
  return { data };
}
