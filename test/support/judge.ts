import type { DiaryEntry } from "./diary.ts";

/** Which messages each process confirmed on its standard output, by pid. */
export type Receipts = ReadonlyMap<number, ReadonlySet<string>>;

/**
 * Judges deliveries from what agents wrote down and printed, without knowledge of ao: every text was confirmed, none came again
 * after it was confirmed, none twice to one process, and first arrivals are in the order of sending.
 */
export function judgeDeliveries(
  sent: readonly string[],
  diary: readonly DiaryEntry[],
  receipts: Receipts,
): readonly string[] {
  const torn = diary
    .filter((entry) => entry.event === "torn")
    .map((entry) => `a torn line reached process ${entry.pid}`);
  const deliveries = diary.filter(isDelivery);
  return [
    ...torn,
    ...judgeRepetitions(deliveries, receipts),
    ...judgeLosses(sent, deliveries, receipts),
    ...judgeOrder(sent, deliveries),
  ];
}

/** Is this a task or message that reached an agent? */
export function isDelivery(entry: DiaryEntry): boolean {
  return (entry.event === "task" || entry.event === "message") && entry.id !== undefined;
}

/** Did the receiving process confirm it? */
export function isConfirmed(entry: DiaryEntry, receipts: Receipts): boolean {
  return receipts.get(entry.pid)?.has(entry.id ?? "") === true;
}

/** Nothing comes twice to one process, and nothing comes again after it was confirmed. */
export function judgeRepetitions(deliveries: readonly DiaryEntry[], receipts: Receipts): readonly string[] {
  const faults: string[] = [];
  const confirmed = new Set<string>();
  const seen = new Set<string>();
  for (const entry of deliveries) {
    const id = entry.id ?? "";
    if (seen.has(`${id} ${entry.pid}`)) faults.push(`${entry.text} came twice to process ${entry.pid}`);
    else if (confirmed.has(id)) faults.push(`${entry.text} came again after it was confirmed`);
    if (isConfirmed(entry, receipts)) confirmed.add(id);
    seen.add(`${id} ${entry.pid}`);
  }
  return faults;
}

function judgeLosses(
  sent: readonly string[],
  deliveries: readonly DiaryEntry[],
  receipts: Receipts,
): readonly string[] {
  const confirmed = new Set(deliveries.filter((entry) => isConfirmed(entry, receipts)).map((entry) => entry.text));
  return sent.filter((text) => !confirmed.has(text)).map((text) => `${text} was never confirmed`);
}

function judgeOrder(sent: readonly string[], deliveries: readonly DiaryEntry[]): readonly string[] {
  const firsts = new Map<string, string>();
  for (const { id = "", text = "" } of deliveries) if (!firsts.has(id)) firsts.set(id, text);
  const came = [...firsts.values()];
  const expected = sent.filter((text) => came.includes(text));
  if (new Set(came).size !== came.length) return ["one text came under two ids"];
  return came.join("\u0000") === expected.join("\u0000")
    ? []
    : [`sent ${expected.join(" | ")} but came ${came.join(" | ")}`];
}
