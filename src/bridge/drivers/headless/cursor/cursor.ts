import { z } from "zod";
import type { CreateDriver, DriverSetup } from "../../../driver.ts";
import { commonSettings, readSettings } from "../../../kit/settings.ts";
import { readFailure } from "../../../kit/turn-end.ts";
import { asProse, type Dialect } from "../dialect.ts";
import { createHeadlessDriver } from "../headless.ts";
import { type CursorOutput, cursorOutput, NAMES, reasonOf } from "./output.ts";
import { writeRules } from "./rules.ts";

// Without a person to ask, Cursor changes nothing unless it may do everything that is not denied.
const Settings = z.object({
  ...commonSettings,
  permissions: z.literal("all"),
  /** In the program's own syntax: `Shell(rm)`, `Write(.env)`. */
  deny: z.array(z.string().min(1)).default([]),
});

/** Cursor: one `cursor-agent --print` per turn, with `--resume` and the prompt on standard input. */
export const createCursorDriver: CreateDriver = createHeadlessDriver(createCursor);

function createCursor(setup: DriverSetup): Dialect<CursorOutput> {
  const { command, model, deny } = readSettings(Settings, "Cursor", setup.settings);
  const env = deny.length === 0 ? setup.env : { ...setup.env, CURSOR_CONFIG_DIR: writeRules(setup, deny) };
  const chosen = model === undefined ? [] : ["--model", model];
  return {
    title: NAMES.name,
    command,
    output: cursorOutput,
    begin: async (run) => {
      const { lines, end } = await run({ args: ["create-chat"], env, input: "" });
      const id = lines.findLast((line) => /^\s*\S+\s*$/.test(line))?.trim();
      if (end.code === 0 && id !== undefined) return id;
      const failure = readFailure(`no conversation was begun: ${reasonOf(end, lines)}`, NAMES, new Date());
      throw new Error("reason" in failure ? failure.reason : NAMES.name);
    },
    launch: (conversation, { text }) => ({
      args: ["--print", "--output-format", "stream-json", "--force", ...chosen, "--resume", conversation],
      env,
      // As an argument it would be limited to 128 KiB and readable by every user of the machine.
      input: asProse(text),
    }),
  };
}
