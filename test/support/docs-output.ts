import { readFileSync } from "node:fs";

/** The output that a page shows for a command, without what differs from run to run. */
export function readOutput(page: string, command: string): readonly string[] {
  const [, block = ""] = readFileSync(page, "utf8").split(`$ ${command}\n`);
  return (block.split("```")[0] ?? "").trimEnd().split("\n").map(withoutChance);
}

/** A line with the same commits, times and project in every run. */
export function withoutChance(line: string): string {
  return line
    .replaceAll(/\b[0-9a-f]{7,12}\b/g, "1a2b3c4")
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ/g, "2026-07-01 10:00:00Z")
    .replaceAll(/exit code \d+/g, "exit code 1")
    .replaceAll("demo", "my-app");
}
