import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeRepo } from "../../../src/testing/git-repo.ts";
import { removeFolder } from "../../../src/testing/temp.ts";
import { until } from "../../support/until.ts";
import { npm } from "./npm.ts";
import { makePlace, openShell, root } from "./shell.ts";

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

const folder = mkdtempSync(join(tmpdir(), "ao-pack-"));
let packed: Packed & { readonly path: string };

/** The tarball that would be published, made from the build. */
async function pack(dir: string): Promise<Packed & { readonly path: string }> {
  // The build exists already; rebuilding would remove it under other tests.
  const { out } = await npm(root, "pack", "--ignore-scripts", "--json", "--pack-destination", dir);
  const [only] = JSON.parse(out) as readonly [Packed];
  return { ...only, path: join(dir, only.filename) };
}

beforeAll(async () => {
  packed = await pack(folder);
});

afterAll(() => removeFolder(folder));

it("the package holds the program, its schema and every page that the README links to, and nothing else", async () => {
  const paths = packed.files.map(({ path }) => path);
  const strangers = paths.filter(
    (path) =>
      !/^(demo\/.+|dist\/.+\.js|dist\/index\.d\.ts|dist\/web\/.+|dist\/cli\/(ao|main|quick|status-and-list)\.cjs|dist\/platform\/holder\.sh|docs\/.+|schema\/.+\.json|package\.json|[A-Z]+(\.md)?)$/.test(
        path,
      ),
  );
  expect(strangers).toEqual([]);
  // The sample of the demo has a test suite of its own.
  const own = paths.filter((path) => !path.startsWith("demo/"));
  expect(own.filter((path) => /\.test\.|(^|\/)(test|testing|fixtures|bench)\//.test(path))).toEqual([]);
  for (const needed of [
    "dist/cli/ao.cjs",
    "dist/app/daemon.js",
    "dist/app/repair.js",
    "dist/platform/holder.sh",
    "dist/web/index.html",
  ]) {
    expect(paths).toContain(needed);
  }
  expect(paths).toContain("schema/config.schema.json");
  // All of the demo: npm leaves some names out, such as .gitignore.
  const sample = readdirSync(join(root, "demo"), { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  );
  expect(paths.filter((path) => path.startsWith("demo/"))).toHaveLength(sample.length);
  expect(paths.filter((path) => /^[A-Z]/.test(path)).sort()).toEqual([
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "README.md",
  ]);
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link]) => link ?? "");
  expect(links.filter((link) => !paths.includes(link))).toEqual([]);
});

it("publint finds nothing wrong with the package", async () => {
  const tarball = new Uint8Array(readFileSync(packed.path)).buffer;
  const { messages, pkg } = await publint({ strict: true, pack: { tarball } });
  expect(messages.map((message) => formatMessage(message, pkg ?? {}))).toEqual([]);
});

it("the tarball installs without a compiler and runs outside the repository", async () => {
  const { dir, env } = makePlace();
  const prefix = join(dir, "prefix");
  mkdirSync(prefix);
  await npm(prefix, "install", "-g", "--prefix", prefix, "--prefer-offline", "--ignore-scripts", packed.path);
  const bin = join(prefix, "bin");
  const repo = makeRepo(join(dir, "web"));
  const shell = openShell(repo, { ...env, PATH: `${bin}:${env["PATH"]}` }, ["ao"]);
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  expect(await shell.ok("version")).toBe(`${version}\n`);
  expect(JSON.parse(await shell.ok("config", "schema"))).toEqual(
    JSON.parse(readFileSync(join(root, "schema/config.schema.json"), "utf8")),
  );
  await shell.ok("start", "--no-open", "--detach");
  const agent = writeAgent(dir);
  await shell.ok("config", "set", "projects.web.agentConfig", `{ command: [${JSON.stringify(agent)}] }`);
  await shell.ok("config", "set", "projects.web.agent", "command");
  await shell.ok("new", "Try it");
  expect(await shell.ok("send", "web-try-it", "hello")).toMatch(/^(delivered|unconfirmed)/);
  await until("the agent to write it down", () => heard(dir).includes('"text":"hello"'));
  expect(await shell.ok("status", "web-try-it")).toMatch(/^web-try-it\n/);
  expect(await shell.ok("doctor")).not.toContain("fail");
  await shell.ok("stop", "web-try-it");
  expect(await shell.ok("stop")).toBe("the daemon stopped\n");
});

/** An agent of three lines of shell: it writes down what it gets. */
function writeAgent(dir: string): string {
  const file = join(dir, "agent.sh");
  writeFileSync(file, `#!/bin/sh\nwhile read -r line; do printf '%s\\n' "$line" >>'${join(dir, "heard")}'; done\n`);
  chmodSync(file, 0o755);
  return file;
}

function heard(dir: string): string {
  return existsSync(join(dir, "heard")) ? readFileSync(join(dir, "heard"), "utf8") : "";
}
