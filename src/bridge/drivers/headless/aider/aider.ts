import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { CreateDriver, DriverSetup } from "../../../driver.ts";
import { commonSettings, readSettings } from "../../../kit/settings.ts";
import { asProse, type Dialect } from "../dialect.ts";
import { createHeadlessDriver } from "../headless.ts";
import { composeArguments, composeEnvironment } from "./arguments.ts";
import { openHistory } from "./history.ts";
import { type AiderOutput, aiderOutput } from "./output.ts";

// It cannot ask anyone and runs no commands; all it does is edit.
const Settings = z.object({ ...commonSettings, permissions: z.enum(["edits", "all"]) });

/** Aider: one `aider --message-file` per turn, with its chat history in the session's folder. */
export const createAiderDriver: CreateDriver = createHeadlessDriver(createAider);

function createAider({ settings, cwd, env, folder, notes }: DriverSetup): Dialect<AiderOutput> {
  const { command, model } = readSettings(Settings, "Aider", settings);
  const home = join(folder, "aider");
  const files = {
    message: join(home, "message.txt"),
    chat: join(home, "chat.history.md"),
    input: join(home, "input.history"),
  };
  mkdirSync(home, { recursive: true });
  const history = openHistory(files.chat, notes);
  return {
    title: "Aider",
    command,
    output: aiderOutput,
    // It has no ids; the history is the conversation.
    begin: async () => randomUUID(),
    launch: (_, { id, text }) => {
      writeFileSync(files.message, asProse(text), { mode: 0o600 });
      const args = composeArguments(files, { model, isKnown: history.exists() });
      history.expect(id);
      bringTags(home, cwd);
      return { args, env: composeEnvironment(env), input: "" };
    },
    hasTaken: history.has,
    tidy: () => takeTags(cwd, home),
  };
}

const NAME = /^\.aider\.tags\.cache\.v\d+$/;

/** Moves the program's repository map out of the workspace, because it cannot be configured to keep it elsewhere. */
export function takeTags(workspace: string, folder: string): void {
  for (const name of list(workspace)) move(join(workspace, name), join(folder, name));
}

/** Moves it back for a turn, so that it is not rebuilt each time. */
export function bringTags(folder: string, workspace: string): void {
  for (const name of list(folder)) move(join(folder, name), join(workspace, name));
}

function list(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => NAME.test(name));
}

// On another file system it is rebuilt.
function move(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  try {
    renameSync(from, to);
  } catch {
    rmSync(from, { recursive: true, force: true });
  }
}
