import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tempDir } from "../../../testing/temp.ts";
import { canExport, formatLaunch } from "./wrapper.ts";

const PRINT = "process.stdout.write(JSON.stringify([process.argv.slice(1), process.env, process.cwd()]))";

function runLaunch(env: Record<string, string>, args: readonly string[], cwd: string, dir: string): unknown[] {
  writeFileSync(join(dir, "launch"), formatLaunch({ env, cwd, argv: [process.execPath, "-e", PRINT, "--", ...args] }));
  const script = '_ao_dir=$1; . "$1/launch"';
  const output = execFileSync("sh", ["-c", script, "sh", dir], { env: { PATH: process.env["PATH"], TMUX: "outer" } });
  return JSON.parse(output.toString()) as unknown[];
}

describe("the launch file", () => {
  it("passes arguments, environment and folder to the program unchanged, and removes itself", () => {
    const dir = tempDir("ao launch '#{x}-");
    const text = fc.string({ unit: "grapheme" }).filter((value) => !value.includes("\0"));
    fc.assert(
      fc.property(fc.array(text), text, (args, value) => {
        const [gotArgs, gotEnv, gotCwd] = runLaunch({ A: value, TERM: "mine", TMUX: "mine" }, args, dir, dir);
        expect(gotArgs).toEqual(args);
        expect(gotEnv).toMatchObject({ A: value });
        expect(Object.keys(gotEnv as object)).not.toContain("TMUX");
        expect(gotCwd).toBe(dir);
        expect(existsSync(join(dir, "launch"))).toBe(false);
      }),
      { numRuns: 20 },
    );
  });

  it("keeps values with quotes, line breaks and shell syntax", () => {
    const dir = tempDir();
    const value = `it's "$HOME" \`id\`\n\\n\n\t$(exit 3) ; 'x' ÿ\u0081é日本`;
    const [args, env] = runLaunch({ SECRET: value }, [value, "", "-n", "*"], dir, dir);
    expect(args).toEqual([value, "", "-n", "*"]);
    expect(env).toMatchObject({ SECRET: value });
  });

  it.each(["a-b", "BASH_FUNC_x%%", "", "1A", "UID", "A B"])("omits the name %j", (name) => {
    expect(canExport(name)).toBe(false);
    expect(formatLaunch({ env: { [name]: "x" }, cwd: "/", argv: ["true"] })).not.toContain(`export ${name}=`);
  });

  it("rejects a zero byte", () => {
    expect(() => formatLaunch({ env: {}, cwd: "/", argv: ["echo", "a\0b"] })).toThrow(/zero byte/);
  });
});
