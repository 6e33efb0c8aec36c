import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createSession, removeSession } from "../sessions.mjs";
import { median, timed } from "../statistics.mjs";

const RED_SESSIONS = 6;
const REVIEWS = 10;
const MERGES = 12;
/** From the person's word to the agent. */
const AIM_REVIEW_MS = 100;
const PATIENCE_MS = 60_000;
const agent = fileURLToPath(new URL("../loop-agent.sh", import.meta.url));

/** From a red check, a review and an approval until ao has reacted. */
export async function measureLoop(context) {
  const { pick, world } = context;
  const notes = join(world.dir, "loop-notes");
  mkdirSync(notes);
  const settings = {
    agentConfig: { command: [agent] },
    env: { BENCH_DIR: notes },
    reactions: { "approved-and-green": { auto: true, action: "merge", strategy: "squash" } },
  };
  // Green on main: a check that is red there too is no reason to message the agent.
  const endOfCheck = `ls work-*.txt >/dev/null 2>&1 || exit 0; date +%s%N >>"$BENCH_DIR/check-ends"; exit 1`;
  const checked = { ...settings, limits: { reruns: 0 }, checks: { red: { run: endOfCheck } } };
  const red = world.makeRepo("red", { "a.txt": "a\n" }, checked);
  const green = world.makeRepo("green", { "a.txt": "a\n" }, { ...settings, checks: {} });
  const fleet = await context.openFleet([red, green]);
  const [sessions, reviews, merges] = [RED_SESSIONS, REVIEWS, MERGES].map((count) => pick(count, 1));
  const failed = await measureRed(fleet, notes, sessions);
  const told = [];
  const merged = [];
  for (let n = 1; n <= Math.max(reviews, merges); n += 1) {
    const session = await openPullRequest(fleet, "green", `Change ${n}`);
    if (n <= reviews) told.push(await measureReview(fleet, session, notes));
    if (n <= merges) merged.push(await measureMerge(fleet, session, green.path));
  }
  const floor = measureGit(green.path, merges);
  await fleet.kill();
  return [
    {
      ...{ name: "red check until the agent's stdin", unit: "ms", value: median(failed) },
      ...{ floor: null, floorName: null, aim: { on: "value", atMost: 300 } },
    },
    {
      ...{ name: "review until the agent's stdin", unit: "ms", value: median(told) },
      ...{ floor: null, floorName: null, aim: { on: "value", atMost: AIM_REVIEW_MS } },
    },
    {
      ...{ name: "approved until merged", unit: "ms", value: median(merged) },
      ...{ floor: median(floor), floorName: "the same merge by git alone", aim: { on: "difference", atMost: 500 } },
    },
  ];
}

// Each session gets two messages: after its first commit, and after the one that it makes because of the first message.
async function measureRed(fleet, notes, sessions) {
  const samples = [];
  for (let n = 1; n <= sessions; n += 1) {
    rmSync(join(notes, "check-ends"), { force: true });
    const session = await createSession(fleet, "red", `Red ${n}`);
    const arrivals = await awaitLines(join(notes, `arrivals-${session.id}`), 3);
    const ends = await awaitLines(join(notes, "check-ends"), 2);
    samples.push((arrivals[1] - ends[0]) / 1e6, (arrivals[2] - ends[1]) / 1e6);
    await removeSession(fleet, session.id);
  }
  return samples;
}

async function measureReview(fleet, session, notes) {
  const file = join(notes, `arrivals-${session.id}`);
  const before = readNumbers(file).length;
  const start = nowNs();
  await fleet.api.call("POST", `/api/sessions/${session.id}/review`, {
    verdict: "request-changes",
    body: "Please say it better.",
    author: "bench",
  });
  const arrivals = await awaitLines(file, before + 1);
  await awaitHead(fleet, session.id, session.pullRequests[0].head);
  return (arrivals[before] - start) / 1e6;
}

async function measureMerge(fleet, session, repo) {
  const ref = join(repo, ".git/refs/heads/main");
  const before = readFileSync(ref, "utf8");
  const ms = await timed(async () => {
    await fleet.api.call("POST", `/api/sessions/${session.id}/approve`, { author: "bench" });
    while (readFileSync(ref, "utf8") === before) await pause(1);
  });
  await until(async () => (await fleet.api.call("GET", `/api/sessions/${session.id}`)).status === "merged");
  return ms;
}

// What a person would type for a squash, on a branch of one commit, in the same repository.
function measureGit(repo, count) {
  const env = {
    ...process.env,
    GIT_AUTHOR_NAME: "b",
    GIT_AUTHOR_EMAIL: "b@x",
    GIT_COMMITTER_NAME: "b",
    GIT_COMMITTER_EMAIL: "b@x",
  };
  const git = (...args) => execFileSync("git", args, { cwd: repo, env, encoding: "utf8" }).trim();
  return Array.from({ length: count }, (_, n) => {
    const tree = git("rev-parse", "main^{tree}");
    const head = git("commit-tree", tree, "-p", "main", "-m", `by hand ${n}`);
    const start = process.hrtime.bigint();
    const merged = git("merge-tree", "--write-tree", "main", head);
    const commit = git("commit-tree", merged, "-p", "main", "-m", `squash ${n}`);
    git("merge", "-q", "--ff-only", commit);
    return Number(process.hrtime.bigint() - start) / 1e6;
  });
}

async function openPullRequest(fleet, project, title) {
  const { id } = await createSession(fleet, project, title);
  return until(async () => {
    const session = await fleet.api.call("GET", `/api/sessions/${id}`);
    return session.pullRequests[0]?.status === "review-pending" ? session : null;
  });
}

async function awaitHead(fleet, id, before) {
  await until(async () => {
    const { pullRequests } = await fleet.api.call("GET", `/api/sessions/${id}`);
    return pullRequests[0].head !== before && pullRequests[0].status === "changes-requested";
  });
}

async function awaitLines(file, count) {
  return until(() => {
    const numbers = readNumbers(file);
    return numbers.length >= count ? numbers : null;
  });
}

function readNumbers(file) {
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8").split("\n").filter(Boolean).map(Number);
}

async function until(look) {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    if (Date.now() > deadline) throw new Error("waited for a minute in vain");
    await pause(5);
  }
}

function nowNs() {
  return (performance.timeOrigin + performance.now()) * 1e6;
}
