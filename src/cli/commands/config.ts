import { homedir } from "node:os";
import { AoError } from "../../core/errors.ts";
import { defineCommand, JSON_OPTION } from "../command.ts";
import { note, print, printJson } from "../views/print.ts";
import { command as accept } from "./config/accept.ts";

const CONFIG_OPTION = { type: "string", value: "FILE", summary: "config file to use" } as const;

const get = defineCommand({
  name: "config get",
  summary: "print the value in force (or its default)",
  usage: ["[KEY] [--config FILE] [--json]"],
  arguments: [{ name: "KEY", summary: "such as defaults.runtime; none: everything", optional: true }],
  options: { config: CONFIG_OPTION, json: JSON_OPTION },
  examples: ["ao config get defaults.runtime"],
  async run({ args: [key], options }) {
    const { readFile } = await import("node:fs/promises");
    const { readYaml } = await import("../../config/parse.ts");
    const { getFrom } = await import("../../config/dotted-path.ts");
    const file = await fileInForce(options.config);
    const read = async (from: string): Promise<unknown> => {
      const { tree } = readYaml(await readFile(from, "utf8"), from);
      return key === undefined ? tree : getFrom(tree, key);
    };
    const written = await read(file);
    const other = key === undefined ? null : await overruling(file, key);
    const inForce = other === null ? written : await read(other);
    const value = inForce ?? (key === undefined ? undefined : await defaultOf(key));
    if (other !== null && written !== undefined && JSON.stringify(written) !== JSON.stringify(value)) {
      note(`note: ${file} says ${JSON.stringify(written)}; machine-wide keys come from ${other}`);
    }
    if (value === undefined) {
      const hint = "`ao config-help` lists every key.";
      throw new AoError({ code: "not-found", message: `${key} is not set in ${file}`, hint });
    }
    if (options.json === true || (value !== null && typeof value === "object")) {
      print(JSON.stringify(value, null, options.json === true ? 0 : 2));
    } else print(String(value));
  },
});

const set = defineCommand({
  name: "config set",
  summary: "set a value; comments and order stay",
  usage: ["KEY VALUE [--config FILE]"],
  arguments: [
    { name: "KEY", summary: "such as defaults.runtime" },
    { name: "VALUE", summary: "read as YAML", text: true },
  ],
  options: { config: CONFIG_OPTION },
  examples: ["ao config set defaults.runtime process"],
  async run({ args: [key = "", value = ""], options }) {
    const { readFile, realpath } = await import("node:fs/promises");
    const { setInText } = await import("../../config/set.ts");
    const file = await realpath(await fileInForce(options.config));
    const before = await readFile(file, "utf8");
    const settings = await (await import("./config/plugin-settings.ts")).loadCheckSettings();
    const after = setInText(before, key, value, { fileName: file, env: process.env, settings });
    if (after !== before) await replaceFile(file, after);
    print(`${file}: ${key} is ${value}`);
  },
});

const validate = defineCommand({
  name: "config validate",
  summary: "check the file and name every key that does nothing",
  usage: ["[FILE] [--json]"],
  arguments: [{ name: "FILE", summary: "config file to check", optional: true }],
  options: { config: CONFIG_OPTION, json: JSON_OPTION },
  examples: ["ao config validate"],
  async run({ args: [path], options }) {
    const { checkConfig } = await import("./config/check-config.ts");
    const file = await fileInForce(path ?? options.config);
    const { notes } = await checkConfig(file);
    if (options.json === true) return printJson({ file, valid: true, notes });
    print(`${file}: ok`);
    for (const text of notes) note(`note: ${text}`);
  },
});

const schema = defineCommand({
  name: "config schema",
  summary: "the JSON Schema of the file, for editors",
  usage: [""],
  arguments: [],
  options: { json: JSON_OPTION },
  examples: ["ao config schema > config.schema.json"],
  async run() {
    const { renderJsonSchema } = await import("../../config/json-schema.ts");
    print(renderJsonSchema());
  },
});

export const command = defineCommand({
  name: "config",
  summary: "read, change and check agent-orchestrator.yaml",
  usage: ["get | set | validate | accept | schema"],
  arguments: [],
  options: {},
  examples: ["ao config set defaults.runtime process", "ao config validate"],
  subcommands: [get, set, validate, accept, schema],
});

async function fileInForce(asked: string | undefined): Promise<string> {
  const { findConfig } = await import("../../config/load.ts");
  const file = await findConfig({ config: asked, env: process.env, cwd: process.cwd(), home: homedir() });
  if (file !== null) return file;
  throw new AoError({
    code: "config-not-found",
    message: "there is no agent-orchestrator.yaml here or above",
    hint: "`ao start` in a project writes one; --config names another.",
  });
}

/** The file in force for a machine-wide key, if it is another one. */
async function overruling(file: string, key: string): Promise<string | null> {
  const { isMachineWide } = await import("../../config/machine-keys.ts");
  const { resolvePath } = await import("../../config/dotted-path.ts");
  if (!isMachineWide(resolvePath(key, {}))) return null;
  return (await import("./config/machine-file.ts")).otherMachineFile(file);
}

async function defaultOf(key: string): Promise<string | undefined> {
  const { listKeys } = await import("../../config/help.ts");
  return listKeys().find((known) => known.path === key)?.fallback ?? undefined;
}

/**
 * Writes a temporary file and renames it, so that a reader sees the old or the new text and a crash keeps one of them.
 */
async function replaceFile(file: string, text: string): Promise<void> {
  const { open, rename, rm, stat } = await import("node:fs/promises");
  const { mode } = await stat(file);
  const draft = `${file}.${process.pid}.tmp`;
  try {
    const handle = await open(draft, "wx", mode);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (cause) {
    await rm(draft, { force: true });
    const why = (cause as NodeJS.ErrnoException).code ?? String(cause);
    throw new AoError({ code: "store-unwritable", message: `cannot write ${file}: ${why}`, cause });
  }
}
