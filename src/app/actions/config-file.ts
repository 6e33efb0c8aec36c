import type { LoadedConfig } from "../../config/load.ts";
import { configNotes } from "../../config/notes.ts";
import { formatPath } from "../../config/problem.ts";
import { compareSettings, listSettings, type SettingChange, showValue } from "../../config/settings.ts";
import { whenApplied } from "../../config/when-applied.ts";
import { AoError } from "../../core/errors.ts";
import type { World } from "../../core/world.ts";
import type { ConfigTextBody } from "../../protocol/bodies/config.ts";
import type { ConfigPreviewView, ConfigView, SettingChangeView } from "../../protocol/views/config.ts";
import { adoptConfigs } from "../adopt-configs.ts";
import type { Kernel } from "../kernel.ts";
import { checkSettings } from "../plugin-settings.ts";
import { changedMeanwhile, diffOf, fileOf, interpret, readText, versionOf } from "./config-text.ts";
import { readHeld } from "./held-config.ts";

/** The file of a project or of the machine, with its problems and the values in force. */
export async function readConfig(kernel: Kernel, projectId: string | undefined): Promise<ConfigView> {
  const file = await fileOf(kernel, projectId);
  const text = await readText(kernel, file);
  const { loaded, problems } = interpret(kernel, file, text);
  const config = loaded?.config ?? (await kernel.configs.inForce(file));
  return {
    file,
    text,
    version: versionOf(text),
    problems,
    notes: notesOf(loaded),
    settings:
      config === null
        ? []
        : listSettings(config).map(({ path, value }) => ({ key: formatPath(path), value: showValue(path, value) })),
    held: await readHeld(kernel, file),
  };
}

/** What a changed text would do; writes nothing. */
export async function previewConfig(kernel: Kernel, { project, text }: ConfigTextBody): Promise<ConfigPreviewView> {
  const file = await fileOf(kernel, project);
  const before = await readText(kernel, file);
  const { loaded, problems } = interpret(kernel, file, text);
  const inForce = await kernel.configs.inForce(file);
  const changes = loaded === null || inForce === null ? [] : compareSettings(inForce, loaded.config);
  const world = kernel.engine.loop.world.view;
  return {
    file,
    version: versionOf(before),
    diff: diffOf(file, before, text),
    problems,
    notes: notesOf(loaded),
    changes: changes.map((change) => toChangeView(change, world)),
  };
}

/** Replaces a file if its text is still the one that the caller has seen, and applies it. */
export async function replaceConfig(
  kernel: Kernel,
  { project, text }: ConfigTextBody,
  seen: string,
): Promise<ConfigView> {
  const file = await fileOf(kernel, project);
  await oneAtATime(file, async () => {
    const before = await readText(kernel, file);
    // A caller that lost the answer resends the same write.
    if (before === text) return;
    if (versionOf(before) !== seen) throw changedMeanwhile(file);
    kernel.configs.interpret(file, text);
    await writeText(kernel, file, text);
    // Whoever writes the whole text has seen what a commit had brought into it.
    await kernel.configs.accept(file, text);
  });
  await adoptConfigs(kernel);
  return readConfig(kernel, project);
}

// A link stays a link, and the file keeps its mode.
async function writeText({ host }: Kernel, file: string, text: string): Promise<void> {
  const target = (await host.fs.realPath(file)) ?? file;
  const mode = (await host.fs.stat(target))?.mode;
  try {
    await host.fs.writeText(target, text, mode === undefined ? {} : { mode: mode & 0o777 });
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code ?? String(cause);
    throw new AoError({ code: "store-unwritable", message: `cannot write ${file}: ${why}`, cause });
  }
}

const writes = new Map<string, Promise<void>>();

/** Two writes that saw the same version must not both succeed. */
async function oneAtATime(file: string, write: () => Promise<void>): Promise<void> {
  const turn = (writes.get(file) ?? Promise.resolve()).catch(() => undefined).then(write);
  writes.set(file, turn);
  await turn.finally(() => {
    if (writes.get(file) === turn) writes.delete(file);
  });
}

function notesOf(loaded: LoadedConfig | null): readonly string[] {
  if (loaded === null) return [];
  const missing = loaded.missing.map(({ name, path }) => `${formatPath(path)}: the variable ${name} is not set`);
  return [...configNotes(loaded, checkSettings), ...missing];
}

function toChangeView({ path, before, after }: SettingChange, world: World): SettingChangeView {
  const applies = whenApplied(path);
  const projectId = path[0] === "projects" ? String(path[1]) : null;
  const isOpen = applies === "now" || applies === "next-start";
  const open = [...world.sessions()].filter(
    (session) => session.phase !== "stopped" && (projectId === null || session.projectId === projectId),
  );
  return {
    key: formatPath(path),
    before: before === null ? null : showValue(path, before),
    after: after === null ? null : showValue(path, after),
    applies,
    sessions: isOpen ? open.length : 0,
  };
}
