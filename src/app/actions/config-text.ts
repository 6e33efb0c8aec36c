import { createHash } from "node:crypto";
import { basename } from "node:path";
import { createTwoFilesPatch } from "diff";
import type { LoadedConfig } from "../../config/load.ts";
import { type ConfigProblem, formatPath } from "../../config/problem.ts";
import { AoError } from "../../core/errors.ts";
import type { ConfigProblemView } from "../../protocol/views/config.ts";
import { findProject } from "../find-project.ts";
import type { Kernel } from "../kernel.ts";

/** Only files that the daemon already uses: nobody can make it read or write another one. */
export async function fileOf(kernel: Kernel, projectId: string | undefined): Promise<string> {
  const world = kernel.engine.loop.world.view;
  const file =
    projectId === undefined
      ? await kernel.configs.machineFile(world.projects())
      : (await findProject(kernel, projectId, undefined)).configFile;
  if (file !== null) return file;
  throw new AoError({
    code: "config-not-found",
    message:
      projectId === undefined ? "There is no configuration file yet." : `${projectId} has no configuration file.`,
    hint: "`ao start` in the project writes one.",
  });
}

export async function readText({ host }: Kernel, file: string): Promise<string> {
  const text = await host.fs.readText(file);
  if (text !== null) return text;
  throw new AoError({
    code: "config-not-found",
    message: `no configuration at ${file}`,
    hint: "Run `ao start` in the project to write one.",
  });
}

export function interpret(
  kernel: Kernel,
  file: string,
  text: string,
): { readonly loaded: LoadedConfig | null; readonly problems: readonly ConfigProblemView[] } {
  try {
    return { loaded: kernel.configs.interpret(file, text), problems: [] };
  } catch (error) {
    if (!(error instanceof AoError) || error.code !== "config-invalid") throw error;
    const found = (error.data?.["problems"] ?? []) as readonly ConfigProblem[];
    const whole = { line: 1, column: 1, key: "", message: error.message, hint: error.hint ?? null };
    return { loaded: null, problems: found.length === 0 ? [whole] : found.map(toProblemView) };
  }
}

function toProblemView({ line, column, path, message, hint }: ConfigProblem): ConfigProblemView {
  return { line, column, key: formatPath(path), message, hint };
}

export function diffOf(file: string, before: string, after: string): string {
  if (before === after) return "";
  const name = basename(file);
  const patch = createTwoFilesPatch(`a/${name}`, `b/${name}`, before, after, undefined, undefined, {
    context: 3,
    headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
  });
  return `diff --git a/${name} b/${name}\n${patch}`;
}

export function versionOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}

export function changedMeanwhile(file: string): AoError {
  return new AoError({
    code: "changed-meanwhile",
    message: `${file} changed since you read it.`,
    hint: "Read it again, and make your change there.",
  });
}
