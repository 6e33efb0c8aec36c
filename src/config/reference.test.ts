import { expect, test } from "vitest";
import { listKeys } from "./help.ts";
import { renderReference } from "./reference.ts";

test("the reference has one row of four cells for each key", () => {
  const [keys = ""] = renderReference().split("\n## ");
  const rows = keys.split("\n").filter((line) => line.startsWith("| `"));
  expect(rows).toHaveLength(listKeys().length);
  for (const row of rows) expect(row.split(/(?<!\\)\|/)).toHaveLength(6);
});
