import type { Report, UnknownNotice } from "./driver.ts";

/** Of each message that is logged; vendors put whole files into some. */
const MAX_BODY = 2000;
/** Messages of one kind that are logged. */
const MAX_LOGGED = 20;
/** Kinds that are noted: a vendor that invents names without end must not fill the transcript. */
const MAX_KINDS = 50;

/** Logs the messages that a driver does not know, and notes the first of each kind in the transcript. */
export function createUnknownNotices(to: Pick<Report, "noted"> & { complain(text: string): void }): Report["unknown"] {
  const counts = new Map<string, number>();
  return ({ kind, body }: UnknownNotice) => {
    const count = (counts.get(kind) ?? 0) + 1;
    if (count === 1 && counts.size >= MAX_KINDS) return;
    counts.set(kind, count);
    if (count <= MAX_LOGGED)
      to.complain(`unknown message "${kind}": ${(JSON.stringify(body) ?? "").slice(0, MAX_BODY)}`);
    if (count === 1) to.noted(`The agent sent "${kind}", which this version of ao does not know; ignored.`);
  };
}
