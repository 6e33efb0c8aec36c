import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { git } from "../fake-forge/git.ts";
import type { Job } from "../fake-github/model.ts";
import type { FakeRepository } from "../fake-github/scripts.ts";

/** The check that main requires. */
export const CHECK = "tests";
/** What triggers a workflow: a new pull request, and a new commit on one. */
const TRIGGERS: readonly unknown[] = ["opened", "synchronize", "reopened"];
const LIMIT_MS = 120_000;

interface Payload {
  readonly action?: unknown;
  readonly pull_request?: { readonly number: number };
}

/** A CI service: gets pull requests by webhook, tests exactly that commit, and reports a check with its log. */
export async function startCi(there: FakeRepository, folder: string): Promise<{ close(): Promise<void> }> {
  mkdirSync(folder, { recursive: true });
  const running = new Set<Promise<void>>();
  const track = (job: Promise<void>): void => {
    running.add(job);
    void job.finally(() => running.delete(job));
  };
  const server = createServer((request, response) => {
    const begin = (text: string): void => {
      response.end();
      const { action, pull_request: pull } = JSON.parse(text) as Payload;
      if (pull === undefined || !TRIGGERS.includes(action)) return;
      track(endJob(there, there.checks.start(pull.number, CHECK), folder));
    };
    readBody(request).then(begin, () => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  there.checks.onRerun((job) => track(endJob(there, job, folder)));
  const { port } = server.address() as AddressInfo;
  there.addHook(`http://127.0.0.1:${port}`, { events: ["pull_request"] });
  return {
    close: async () => {
      await Promise.all(running);
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

async function endJob(there: FakeRepository, job: Job, folder: string): Promise<void> {
  const place = mkdtempSync(join(folder, "job-"));
  const { passed, log } = await runTests(there.record.gitDir, job.check.commit, place).catch((error: unknown) => ({
    passed: false,
    log: String(error),
  }));
  there.checks.end(job, passed ? "success" : "failure", { log, step: "node --test" });
  rmSync(place, { recursive: true, force: true });
}

interface Tested {
  readonly passed: boolean;
  readonly log: string;
}

/** Runs the tests in a checkout of one commit. */
async function runTests(gitDir: string, commit: string, place: string): Promise<Tested> {
  const tree = join(place, "tree");
  mkdirSync(tree);
  const env = { GIT_INDEX_FILE: join(place, "index"), GIT_WORK_TREE: tree };
  await git(gitDir, ["read-tree", commit], env);
  await git(gitDir, ["checkout-index", "--all", `--prefix=${tree}/`], env);
  return runNode(tree);
}

function runNode(cwd: string): Promise<Tested> {
  return new Promise((resolve) => {
    execFile(process.execPath, ["--test"], { cwd, timeout: LIMIT_MS }, (error, stdout, stderr) =>
      resolve({ passed: error === null, log: `${stdout}${stderr}` }),
    );
  });
}
