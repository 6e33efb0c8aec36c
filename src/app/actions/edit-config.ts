import { setInText } from "../../config/set.ts";
import type { ConfigEditBody } from "../../protocol/bodies/config.ts";
import type { Kernel } from "../kernel.ts";
import { checkSettings } from "../plugin-settings.ts";
import { fileOf } from "./config-text.ts";

/** The text of a file with one key set, keeping comments and order; writes nothing. */
export async function editConfig(kernel: Kernel, { project, text, key, value }: ConfigEditBody): Promise<string> {
  const fileName = await fileOf(kernel, project);
  const path = project === undefined ? key : `projects.${JSON.stringify(project)}.${key}`;
  return setInText(text, path, value, { fileName, env: kernel.host.env, settings: checkSettings });
}
