import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { importFrom } from "../history.mjs";
import { interleave, median, timed } from "../statistics.mjs";

const BRANCHES = 20;
const ROUNDS = 7;
/** Once for each start of the daemon; the 190 pairs take most of it. */
const AIM_ALL_MS = 5000;
const LINES = Array.from({ length: 200 }, (_, n) => `line ${n}`);

/** One workspace of twenty changed: captured and compared with the others in memory, against as many real merges. */
export async function measureRadar({ world, pick }) {
  const branches = pick(BRANCHES, 3);
  const files = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`src/${n}.txt`, `${LINES.join("\n")}\n`]));
  const { path } = world.makeRepo("radar", files);
  const workspace = await openWorkspaces(world);
  const refs = [];
  for (let n = 0; n < branches; n += 1) {
    refs.push(await workspace.create(requestFor(path, n)));
    edit(refs[n].path, n, n % 5);
  }
  const scratch = join(world.dir, "radar-scratch");
  run(world, path, ["worktree", "add", "-q", "--detach", scratch]);
  const captured = [];
  const all = await timed(async () => {
    for (const [n, { path: folder, branch }] of refs.entries()) {
      captured.push(await workspace.trials.capture({ ...requestFor(path, n), path: folder, branch }));
    }
    await workspace.trials.merge(projectAt(path), pairsOf(captured));
  });
  let round = 0;
  const one = { ...requestFor(path, 0), path: refs[0].path, branch: refs[0].branch };
  const commits = captured.slice(1).map((_, n) => commitAll(world, refs[n + 1].path));
  const samples = await interleave(
    {
      value: () => {
        round += 1;
        edit(one.path, round, round % 5);
        return timed(async () => {
          const ours = await workspace.trials.capture(one);
          const pairs = captured.slice(1).map((theirs) => ({ ours, theirs }));
          await workspace.trials.merge(one.project, [...pairs, { ours, theirs: refs[0].baseCommit }]);
        });
      },
      floor: () => timed(async () => mergeAll(world, scratch, commits)),
    },
    { rounds: pick(ROUNDS, 1) },
  );
  return [
    {
      name: `one of ${branches} workspaces changed, compared again`,
      unit: "ms",
      value: median(samples.value),
      floor: median(samples.floor),
      floorName: `${branches} merges by git`,
      aim: { on: "ratio", atMost: 1 },
    },
    {
      name: `all ${branches} workspaces for the first time`,
      unit: "ms",
      value: all,
      floor: null,
      floorName: null,
      aim: { on: "value", atMost: AIM_ALL_MS },
    },
  ];
}

async function openWorkspaces({ program, dir }) {
  const { worktree } = await importFrom(program, "plugins/workspace/worktree/worktree.js");
  const { createNodeHost } = await importFrom(program, "platform/host.js");
  const { createSilentLog } = await importFrom(program, "platform/log.js");
  const host = createNodeHost({ log: createSilentLog() });
  return worktree.create(worktree.config.parse({}), host, { home: join(dir, "radar-home"), projectPath: "" });
}

function projectAt(path) {
  return { id: "radar", path, defaultBranch: "main" };
}

function requestFor(path, n) {
  const sessionId = `radar-${n}`;
  const names = { sessionId, name: sessionId, branch: `agent/${n}`, intentId: sessionId };
  return { project: projectAt(path), ...names, generation: 1, restore: false, attempt: 1 };
}

/** Changes three files and leaves them uncommitted. */
function edit(folder, n, line) {
  for (const file of [n % 400, (n + 1) % 400, (n * 7) % 400]) {
    const text = LINES.map((old, at) => (at === line * 40 ? `${old} by ${n}` : old)).join("\n");
    writeFileSync(join(folder, `src/${file}.txt`), `${text}\n`);
  }
}

function pairsOf(commits) {
  return commits.flatMap((ours, at) => commits.slice(at + 1).map((theirs) => ({ ours, theirs })));
}

function commitAll(world, folder) {
  run(world, folder, ["commit", "-q", "-a", "-m", "everything"]);
  return run(world, folder, ["rev-parse", "HEAD"]).trim();
}

// What the same would take with a checkout.
function mergeAll(world, scratch, commits) {
  const [ours = ""] = commits;
  for (const theirs of [...commits, ours]) {
    run(world, scratch, ["checkout", "-q", "--force", "--detach", ours]);
    run(world, scratch, ["merge", "-q", "--no-edit", theirs], [0, 1]);
  }
}

function run(world, cwd, args, okCodes = [0]) {
  const { status, stdout, stderr } = spawnSync("git", args, { cwd, env: world.env, encoding: "utf8" });
  if (!okCodes.includes(status)) throw new Error(`git ${args.join(" ")} failed: ${stderr}`);
  return stdout;
}
