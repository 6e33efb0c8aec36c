import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { createNodeHost } from "../../src/platform/host.ts";
import { createSilentLog } from "../../src/platform/log.ts";
import { tempDir } from "../../src/testing/temp.ts";

const program = fileURLToPath(new URL("../../bench/run.mjs", import.meta.url));
const { exec } = createNodeHost({ log: createSilentLog() });

interface Line {
  readonly measure: string;
  readonly name: string;
  readonly value: number;
  readonly aim: unknown;
}

/** The lines of each measure in its short form; the pages are only measured with Chromium. */
const LINES = {
  ...{ version: 1, "first-page": 1, "fan-out": 2, bridge: 1, board: 2, idle: 6, status: 1, sessions: 6, messages: 2 },
  ...{ loop: 3, forge: 7, radar: 2, states: 9, history: 10, reports: 6, spawn: 4, burst: 4 },
};

// Without times: other tests run beside it. It shows that no measure waits for something that no longer happens.
it("measures everything, each line with an aim", async ({ skip }) => {
  if (process.platform !== "linux") return skip("the measures read /proc");
  const file = join(tempDir(), "result.json");
  await exec({ program: process.execPath, args: [program, "--short", "--json", file], timeoutMs: 500_000 });
  const { lines } = JSON.parse(readFileSync(file, "utf8")) as { lines: readonly Line[] };
  const counts = Object.fromEntries(Object.keys(LINES).map((name) => [name, 0]));
  for (const { measure } of lines) if (measure in counts) counts[measure] = (counts[measure] ?? 0) + 1;
  expect(counts).toEqual(LINES);
  expect([3, 7]).toContain(lines.filter(({ measure }) => measure === "flood").length);
  expect(lines.filter(({ value, aim }) => !Number.isFinite(value) || typeof aim !== "object")).toEqual([]);
});
