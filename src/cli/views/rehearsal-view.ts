import type { RehearsalView } from "../../protocol/views/rehearsal.ts";
import { renderTable } from "./table.ts";
import { visible } from "./visible.ts";

/** One line for each step of each rule; `isOne`: with the messages too. */
export function renderRehearsals(data: readonly RehearsalView[], isOne: boolean): readonly string[] {
  const rows = data.flatMap(({ key, steps, ...rest }) =>
    steps.length === 0
      ? [[key, "never", describeNothing({ key, steps, ...rest })]]
      : steps.map((step, index) => [index === 0 ? key : "", describeWhen(step), step.text]),
  );
  const messages = isOne ? data.flatMap((one) => one.messages) : [];
  return [
    ...renderTable(rows),
    ...messages.flatMap((text, index) => [
      "",
      `message ${index + 1}:`,
      ...visible(text)
        .trimEnd()
        .split("\n")
        .map((line) => `  ${line}`.trimEnd()),
    ]),
  ];
}

function describeNothing({ obstacle, condition }: RehearsalView): string {
  if (obstacle !== null) return obstacle;
  return condition === null ? "nothing to do" : `condition not met: ${condition}`;
}

function describeWhen({ turns, afterMs }: RehearsalView["steps"][number]): string {
  if (afterMs === turns * 60_000) return turns === 0 ? "at once" : "after its turn";
  const minutes = Math.round(afterMs / 60_000);
  return minutes < 120 ? `after ${minutes} min` : `after ${Math.round(minutes / 60)} h`;
}
