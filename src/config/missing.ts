import { AoError } from "../core/errors.ts";
import type { MissingVariable } from "./expand.ts";
import { formatPath } from "./problem.ts";
import { overlap } from "./prune.ts";
import type { Path } from "./schema-walk.ts";

/** The error for using the value at `path` (or below it) while one of its variables is not set; null if all are set. */
export function missingError(missing: readonly MissingVariable[], path: Path): AoError | null {
  const lacking = missing.filter((variable) => variable.path.length >= path.length && overlap(path, variable.path));
  if (lacking.length === 0) return null;
  const names = [...new Set(lacking.map(({ name }) => name))];
  const places = [...new Set(lacking.map((variable) => formatPath(variable.path)))];
  return new AoError({
    code: "config-invalid",
    message: `${places.join(", ")}: the environment ${names.length === 1 ? "variable" : "variables"} ${names.join(", ")} must be set`,
    hint: `Set it in the shell that runs \`ao start\`, or write a default: \${${names[0]}:-value}.`,
    data: { missing: lacking },
  });
}
