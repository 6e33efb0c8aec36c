import type { Config } from "../../config/config.ts";
import { formatPath } from "../../config/problem.ts";
import { compareSettings, showValue } from "../../config/settings.ts";
import { hasConsequences } from "../../config/starts-programs.ts";
import type { HeldConfigView } from "../../protocol/views/config.ts";
import type { Kernel } from "../kernel.ts";
import { diffOf, interpret, versionOf } from "./config-text.ts";

/** The text of a file that waits for a person, and what it would do; null: none waits. */
export async function readHeld(kernel: Kernel, file: string): Promise<HeldConfigView | null> {
  const text = await kernel.configs.heldIn(file);
  if (text === null) return null;
  const { loaded, problems } = interpret(kernel, file, text);
  const inForce = await kernel.configs.inForce(file);
  const before = inForce ?? bareConfig(kernel, file, loaded?.config ?? null);
  const changes = loaded === null || before === null ? [] : compareSettings(before, loaded.config);
  const accepted = (await kernel.configs.acceptedText(file)) ?? "";
  return {
    version: versionOf(text),
    diff: diffOf(file, accepted, text),
    problems,
    changes: changes.map((change) => ({
      key: formatPath(change.path),
      before: change.before === null ? null : showValue(change.path, change.before),
      after: change.after === null ? null : showValue(change.path, change.after),
    })),
    runs: changes.filter(({ path }) => hasConsequences(path)).map(({ path }) => formatPath(path)),
  };
}

/** The same projects with nothing but defaults: what a file without a predecessor is compared with. */
function bareConfig(kernel: Kernel, file: string, config: Config | null): Config | null {
  if (config === null) return null;
  const projects = Object.values(config.projects).map(({ id, path }) => [id, { path }] as const);
  return kernel.configs.interpret(file, JSON.stringify({ projects: Object.fromEntries(projects) })).config;
}
