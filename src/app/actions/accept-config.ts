import { AoError } from "../../core/errors.ts";
import type { ConfigAcceptBody } from "../../protocol/bodies/config.ts";
import type { ConfigView } from "../../protocol/views/config.ts";
import { adoptConfigs } from "../adopt-configs.ts";
import type { Kernel } from "../kernel.ts";
import { readConfig } from "./config-file.ts";
import { changedMeanwhile, fileOf, versionOf } from "./config-text.ts";

/** Lets the text take effect that the caller has seen. */
export async function acceptConfig(kernel: Kernel, { project, version }: ConfigAcceptBody): Promise<ConfigView> {
  const file = await fileOf(kernel, project);
  const text = await kernel.configs.heldIn(file);
  if (text === null) {
    // A caller that lost the answer accepts the same text again.
    const view = await readConfig(kernel, project);
    if (view.version === version) return view;
    throw new AoError({
      code: "changed-meanwhile",
      message: `Nothing in ${file} waits to be accepted any more.`,
      hint: "`ao config get` shows what is in force.",
    });
  }
  if (versionOf(text) !== version) throw changedMeanwhile(file);
  kernel.configs.interpret(file, text);
  await kernel.configs.accept(file, text);
  await adoptConfigs(kernel);
  return readConfig(kernel, project);
}
