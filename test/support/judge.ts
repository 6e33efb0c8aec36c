import type { DiaryEntry } from "./fleet.ts";

/**
 * Judges deliveries from what the agent wrote down, knowing nothing of ao: every text arrived, none arrived again after it
 * was confirmed, none twice in one process, and first arrivals are in the order of sending.
 */
export function judgeDeliveries(sent: readonly string[], diary: readonly DiaryEntry[]): readonly string[] {
  const torn = diary
    .filter((entry) => entry.event === "torn")
    .map((entry) => `a torn line reached process ${entry.pid}`);
  return [...torn, ...judgeRepetitions(diary), ...judgeLosses(sent, diary), ...judgeOrder(sent, diary)];
}

function isDelivery(entry: DiaryEntry): boolean {
  return (entry.event === "task" || entry.event === "message") && entry.id !== undefined;
}

function judgeRepetitions(diary: readonly DiaryEntry[]): readonly string[] {
  const faults: string[] = [];
  const confirmed = new Set<string>();
  const seen = new Set<string>();
  for (const entry of diary) {
    const id = entry.id ?? "";
    if (entry.event === "confirmed") confirmed.add(id);
    if (!isDelivery(entry)) continue;
    if (confirmed.has(id)) faults.push(`${entry.text} came again after it was confirmed`);
    if (seen.has(`${id} ${entry.pid}`)) faults.push(`${entry.text} came twice to process ${entry.pid}`);
    seen.add(`${id} ${entry.pid}`);
  }
  return faults;
}

function judgeLosses(sent: readonly string[], diary: readonly DiaryEntry[]): readonly string[] {
  const confirmed = new Set(diary.filter((entry) => entry.event === "confirmed").map((entry) => entry.id));
  const texts = new Set(
    diary.filter((entry) => isDelivery(entry) && confirmed.has(entry.id)).map((entry) => entry.text),
  );
  return sent.filter((text) => !texts.has(text)).map((text) => `${text} was never confirmed`);
}

function judgeOrder(sent: readonly string[], diary: readonly DiaryEntry[]): readonly string[] {
  const firsts = new Map<string, string>();
  for (const entry of diary)
    if (isDelivery(entry) && !firsts.has(entry.id ?? "")) firsts.set(entry.id ?? "", entry.text ?? "");
  const came = [...firsts.values()];
  const expected = sent.filter((text) => came.includes(text));
  if (new Set(came).size !== came.length) return ["one text came under two ids"];
  return came.join("\u0000") === expected.join("\u0000")
    ? []
    : [`sent ${expected.join(" | ")} but came ${came.join(" | ")}`];
}
