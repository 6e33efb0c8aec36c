import { execFile } from "node:child_process";
import { createHmac, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { type FakeGithub, startFakeGithub } from "../../../src/testing/fake-github/fake-github.ts";
import type { FakeRepository } from "../../../src/testing/fake-github/scripts.ts";
import { tempDir } from "../../../src/testing/temp.ts";
import { type LoopFleet, makeLoop } from "../../support/loop.ts";
import { until } from "../../support/until.ts";

const SECRET = "a secret of both sides";

/** A fleet whose issues and pull requests are on a fake GitHub, `octo/demo`. */
export interface GithubLoop {
  readonly fleet: LoopFleet;
  readonly github: FakeGithub;
  readonly there: FakeRepository;
  /** Delivers that something happened to a pull request, until a daemon takes it. */
  notify(number: number): Promise<void>;
  /** Arguments of processes that were seen while git talked to GitHub. */
  readonly argv: ReadonlySet<string>;
}

/** Makes such a fleet, with its daemon up, the project registered and its main branch on GitHub. */
export async function makeGithubLoop(scripts: Readonly<Record<string, unknown>>): Promise<GithubLoop> {
  const folder = tempDir();
  const github = await startFakeGithub({ folder });
  onTestFinished(() => github.close());
  const there = github.createRepository("octo/demo");
  const argv = new Set<string>();
  const plugin = { plugin: "github", baseUrl: github.url };
  const fleet = await makeLoop({
    scripts,
    checks: {},
    project: { repo: "octo/demo", tracker: plugin, scm: plugin },
    env: { GITHUB_TOKEN: github.token, GITHUB_WEBHOOK_SECRET: SECRET },
  });
  const url = there.cloneUrl.replace("://", `://x-access-token:${github.token}@`);
  // Not synchronous, which would keep the server in this process from answering.
  await promisify(execFile)("git", ["push", "-q", url, "main"], { cwd: fleet.repo });
  github.faults.watch((request) => {
    if (request.includes("git-")) for (const text of commandLines()) argv.add(text);
  });
  await fleet.open();
  return { fleet, github, there, argv, notify: (number) => deliver(fleet, `${github.url}/octo/demo`, number) };
}

async function deliver(fleet: LoopFleet, page: string, number: number): Promise<void> {
  const body = { repository: { html_url: page }, pull_request: { number } };
  const signature = createHmac("sha256", SECRET).update(JSON.stringify(body)).digest("hex");
  await until(`a delivery about #${number}`, async () => {
    const headers = { "x-hub-signature-256": `sha256=${signature}`, "x-github-delivery": randomUUID() };
    const { status } = await fleet.api("POST", "/api/webhooks/github", body, headers);
    return status === 202;
  });
}

function commandLines(): readonly string[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return [readFileSync(join("/proc", name, "cmdline"), "utf8")];
    } catch {
      // It ended meanwhile.
      return [];
    }
  });
}
