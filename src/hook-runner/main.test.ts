import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeHook } from "../core/hook/describe-hook.ts";
import { callModule } from "../engine/call-module.ts";
import type { CommandEnd } from "../engine/shell-command.ts";
import { createNodeHost } from "../platform/host.ts";
import { aChange } from "../testing/change-builders.ts";
import { createFakeClock } from "../testing/fake-clock.ts";
import { createFakeMachine } from "../testing/fakes/host.ts";
import { tempDir } from "../testing/temp.ts";

const { log } = createFakeMachine({ clock: createFakeClock(0) }).host;

interface Called {
  /** The code of `hooks.mjs`, or files by their paths. */
  readonly code: string | Readonly<Record<string, string>>;
  /** Default: that file. */
  readonly module?: string;
  readonly timeoutMs?: number;
}

interface Place {
  /** The folder of the configuration. */
  readonly folder: string;
  call(): Promise<CommandEnd>;
}

/** A folder with these files, whose module is called about a pull request, in a worktree below it. */
function openPlace({ code, module = "./hooks.mjs", timeoutMs = 60_000 }: Called): Place {
  const folder = tempDir();
  const worktree = join(folder, "worktree");
  mkdirSync(worktree);
  for (const [path, text] of Object.entries(typeof code === "string" ? { "hooks.mjs": code } : code)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const context = describeHook(aChange({ title: "It's $(touch x)" }), {
    ...{ point: "before-merge", sentence: "#1 is about to be merged", folder: worktree, intent: "i-1" },
  });
  const call = { module: module.startsWith(".") ? join(folder, module) : module, from: folder, context };
  const env = { PATH: process.env["PATH"] ?? "", AO_INTENT: "i-1" };
  return { folder, call: () => callModule(createNodeHost({ log }), { call, env, timeoutMs }) };
}

const body = (text: string): string => `export async function beforeMerge(context) { ${text} }`;

describe("what a function returns", () => {
  it.each([
    ["nothing", ""],
    ["true", "return true;"],
    ["nothing, while a timer runs on", "setInterval(() => {}, 1000);"],
    ["nothing, after it set the exit code", "process.exitCode = 3;"],
  ])("%s: continues", async (_, code) => {
    expect(await openPlace({ code: body(code) }).call()).toEqual({ code: 0, reason: "" });
  });

  it.each([
    [
      "a reason",
      "console.log('a trace'); return { refuse: 'not ' + context.pullRequest.title };",
      "not It's $(touch x)",
    ],
    ["false", "return false;", "beforeMerge returned false"],
    [
      "false, after it printed why",
      "console.log('not today'); return false;",
      "not today\n\nbeforeMerge returned false",
    ],
    ["an error", "throw new Error('not today');", "not today"],
    ["a promise that rejects", "await Promise.reject(new Error('not today'));", "not today"],
    ["a long reason", "return { refuse: 'x'.repeat(9999) };", `${"x".repeat(499)}…`],
  ])("%s: refuses", async (_, code, reason) => {
    expect(await openPlace({ code: body(code) }).call()).toEqual({ code: 1, reason });
  });

  it("a reason, while the module ends the process with another exit code: refuses", async () => {
    // So much output takes a while to be written, and the process waits for it.
    const code = body(`process.stderr.write("x".repeat(900_000));
      setImmediate(() => process.exit(0));
      return { refuse: "not today" };`);
    expect(await openPlace({ code }).call()).toMatchObject({ code: 1 });
  });

  it("gets the facts and the environment of a shell hook", async () => {
    const code = body(
      `return { refuse: [context.point, context.intent, process.env.AO_INTENT, context.folder === process.cwd()].join() };`,
    );
    expect((await openPlace({ code }).call()).reason).toBe("before-merge,i-1,i-1,true");
  });
});

describe("a module that cannot agree", () => {
  it.each<[string, string, RegExp]>([
    [
      "lacks the function",
      "export function beforMerge() {}",
      /hooks\.mjs has no function beforeMerge \(did you mean "beforMerge"\?\)$/,
    ],
    ["crashes when it is loaded", "throw new Error('no token')", /hooks\.mjs cannot be loaded: no token$/],
    ["is not JavaScript", "export function {", /hooks\.mjs cannot be loaded: SyntaxError: /],
    ["imports what is missing", "import 'nowhere'", /hooks\.mjs cannot be loaded: .*Cannot find package 'nowhere'/],
    ["has a bug", body("context.nothing.at()"), /^TypeError: .* \(\/.*\/hooks\.mjs:1:\d+\)$/],
    ["returns something else", body("return 'fine'"), /hooks\.mjs: beforeMerge returned a string; expected nothing, /],
    ["ends the process", body("process.exit(0)"), /^the process ended with exit code 0 before beforeMerge returned$/],
    ["never returns, with nothing left to do", body("await new Promise(() => {})"), /before beforeMerge returned$/],
    [
      "crashes beside its function",
      body("setTimeout(() => { throw new Error('oops') }); await new Promise((r) => setTimeout(r, 60000))"),
      /hooks\.mjs: oops$/,
    ],
  ])("because it %s", async (_, code, reason) => {
    expect(await openPlace({ code }).call()).toEqual({ code: 1, reason: expect.stringMatching(reason) });
  });

  it("because it does not exist", async () => {
    const { folder, call } = openPlace({ code: {} });
    expect(await call()).toEqual({ code: 1, reason: `${folder}/hooks.mjs does not exist` });
  });

  it.each([
    ["loops", "for (;;);"],
    ["waits", "await new Promise((resolve) => setTimeout(resolve, 600_000));"],
  ])("in time, because it %s", async (_, code) => {
    const { folder, call } = openPlace({ code: body(code), timeoutMs: 1000 });
    await expect(call()).rejects.toMatchObject({
      code: "timeout",
      message: `${folder}/hooks.mjs did not end within 1 s`,
    });
  });

  it("because it prints too much", async () => {
    const { folder, call } = openPlace({
      code: body("for (;;) await new Promise((resolve) => process.stdout.write('x'.repeat(10_000), resolve));"),
    });
    await expect(call()).rejects.toMatchObject({ message: `${folder}/hooks.mjs printed more than 1048576 bytes` });
  });
});

describe("where a module is looked for", () => {
  const agreeing = "export function beforeMerge() {}";
  const refusing = (who: string): string => `exports.beforeMerge = () => ({ refuse: ${JSON.stringify(who)} });`;

  it("a CommonJS file works too", async () => {
    const { call } = openPlace({ code: { "hooks.cjs": refusing("from CommonJS") }, module: "./hooks.cjs" });
    expect((await call()).reason).toBe("from CommonJS");
  });

  it("a package is found from the folder of the configuration, not from the worktree, which an agent can write to", async () => {
    const exports = JSON.stringify({ name: "@acme/hooks", type: "module", exports: { import: "./main.js" } });
    const { call } = openPlace({
      code: {
        "node_modules/@acme/hooks/package.json": exports,
        "node_modules/@acme/hooks/main.js": `export default { beforeMerge: () => ({ refuse: "from the package" }) };`,
        "worktree/node_modules/@acme/hooks/package.json": exports,
        "worktree/node_modules/@acme/hooks/main.js": agreeing,
      },
      module: "@acme/hooks",
    });
    expect((await call()).reason).toBe("from the package");
  });

  it.each([
    ["is not installed", {}, "install it with npm"],
    ["is a file", { "tools/hooks.mjs": agreeing }, 'did you mean "./tools/hooks.mjs"?'],
  ])("a package that %s is named", async (_, files, advice) => {
    const { folder, call } = openPlace({ code: files, module: "tools/hooks.mjs" });
    const reason = `tools/hooks.mjs is not installed in ${folder} or above (${advice})`;
    expect(await call()).toEqual({ code: 1, reason });
  });

  it("a folder with characters that mean something in a URL or a shell is only a folder", async () => {
    const { folder, call } = openPlace({
      code: { "a #%3F $(touch x)/h.mjs": body("return false") },
      module: "./a #%3F $(touch x)/h.mjs",
    });
    expect((await call()).reason).toBe("beforeMerge returned false");
    expect(existsSync(join(folder, "worktree/x"))).toBe(false);
  });
});
