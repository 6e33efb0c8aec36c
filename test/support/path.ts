import { existsSync, readdirSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { registry } from "../../src/plugins/registry.ts";
import { tempDir } from "../../src/testing/temp.ts";

const AGENTS: readonly string[] = registry
  .filter(({ slot }) => slot === "agent")
  .flatMap(({ requires }) => requires.map(({ program }) => program));

/** This machine's PATH without installed coding agents, which must not affect a test. */
export function pathWithoutAgents(): string {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return folders
    .map((folder) => (AGENTS.some((name) => existsSync(join(folder, name))) ? shadow(folder) : folder))
    .join(delimiter);
}

function shadow(folder: string): string {
  const dir = tempDir("ao-path-");
  for (const name of readdirSync(folder)) if (!AGENTS.includes(name)) symlinkSync(join(folder, name), join(dir, name));
  return dir;
}
