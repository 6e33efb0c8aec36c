import { expect } from "vitest";
import { run, type Typed } from "./shell.ts";

/** npm in a folder, with the settings and the cache of this machine; it must succeed. */
export async function npm(cwd: string, ...args: string[]): Promise<Typed> {
  // Settings from the npm that runs the tests must not reach this one.
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(npm_config_prefix|npm_(lifecycle|package)_|INIT_CWD)/.test(name),
  );
  const env = Object.fromEntries(own.map(([name, value]) => [name, value ?? ""]));
  const typed = await run("npm", args, { cwd, env });
  expect(typed, `npm ${args.join(" ")}`).toMatchObject({ code: 0 });
  return typed;
}
