import type { CollisionView } from "../../protocol/views/radar.ts";
import type { Style } from "./style.ts";
import { renderTable } from "./table.ts";

/** How many file names fit on a line; beyond that, only their number is shown. */
const MAX_FILES = 3;

/** The collisions as a table, with the files of each pair. */
export function renderCollisions(
  collisions: readonly CollisionView[],
  options: { readonly style: Style; readonly columns?: number | undefined },
): readonly string[] {
  const rows = collisions.map(({ session, other, files }) => [session, other ?? "the base branch", nameFiles(files)]);
  return renderTable([["SESSION", "COLLIDES WITH", "IN"], ...rows], {
    columns: options.columns,
    paint: (text, row) => (row === 0 ? options.style.dim(text) : text),
  });
}

function nameFiles(files: readonly string[]): string {
  const more = files.length - MAX_FILES;
  return more <= 0 ? files.join(", ") : `${files.slice(0, MAX_FILES).join(", ")} and ${more} more`;
}
