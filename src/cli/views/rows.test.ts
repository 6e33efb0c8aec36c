import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tempDir } from "../../testing/temp.ts";
import { recallRows, rememberRows } from "./rows.ts";

const mine = { device: "34816", user: "100" };

it("a terminal remembers the rows of the list that it printed last", () => {
  const paths = { cache: join(tempDir(), "cache") };
  expect(recallRows(paths, mine)).toEqual([]);
  rememberRows(paths, ["web-a", "web-b"], mine);
  rememberRows(paths, ["web-b"], mine);
  expect(recallRows(paths, mine)).toEqual(["web-b"]);
});

it("another terminal, and the next user of the same one, do not see them", () => {
  const paths = { cache: join(tempDir(), "cache") };
  rememberRows(paths, ["web-a"], mine);
  expect(recallRows(paths, { ...mine, device: "34817" })).toEqual([]);
  expect(recallRows(paths, { ...mine, user: "200" })).toEqual([]);
});

it("yesterday's rows are forgotten", () => {
  const paths = { cache: join(tempDir(), "cache") };
  rememberRows(paths, ["web-a"], mine);
  const file = join(paths.cache, "rows/34816.json");
  const printed = JSON.parse(readFileSync(file, "utf8")) as { at: number };
  writeFileSync(file, JSON.stringify({ ...printed, at: printed.at - 24 * 3_600_000 }));
  expect(recallRows(paths, mine)).toEqual([]);
});

it("nothing is written without a terminal", () => {
  const paths = { cache: join(tempDir(), "cache") };
  rememberRows(paths, ["web-a"], null);
  expect(existsSync(paths.cache)).toBe(false);
});
