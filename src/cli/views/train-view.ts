import { shortCommit } from "../../core/hash.ts";
import type { TrainView } from "../../protocol/views/train.ts";
import type { Style } from "./style.ts";

/** A project's merge train: what is being tried, then what waits, in order. */
export function renderTrain(train: TrainView, { dim, bold }: Pick<Style, "dim" | "bold">): readonly string[] {
  const { projectId, base, baseHead, main, pausedBy, batch, waiting } = train;
  const at = baseHead === null ? "" : ` ${shortCommit(baseHead)}`;
  const paused = pausedBy === null ? "" : `, paused by ${pausedBy} (\`ao train resume\` continues)`;
  const checks = (batch?.checks ?? []).map(({ name, state }) => `${name} ${state}`).join(", ");
  const now = batch === null ? [] : [`  now  ${batch.text}${checks === "" ? "" : dim(` (${checks})`)}`];
  const rows = waiting.map(({ number, title, waitsFor }, index) => {
    const reason = waitsFor.length === 0 ? "" : dim(` (${waitsFor.join("; ")})`);
    return `  ${String(index + 1).padStart(3)}  #${number} ${title}${reason}`;
  });
  const nothing = batch === null && waiting.length === 0 ? [dim("  empty")] : [];
  const health = main === null ? [] : [`  ${base} ${main.text}`];
  return [`${bold(projectId)} ${base}${at}${paused}`, ...health, ...now, ...rows, ...nothing];
}
