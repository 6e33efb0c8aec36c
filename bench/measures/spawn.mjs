import { join } from "node:path";
import { awaitFirstMessage, createSession } from "../sessions.mjs";
import { interleave, median, timed } from "../statistics.mjs";

const ROUNDS = { tiny: 15, large: 5 };
const AIM_OVER_MS = 250;

/** One new session until its workspace is ready, by the API and by the command, against `git worktree add`. */
export async function measureSpawn(context) {
  return [...(await measureRepo(context, "tiny")), ...(await measureRepo(context, "large"))];
}

// The agent's start must not run into the next sample, so its receipt is awaited. Nothing is removed in between: the
// disk would still be busy with the removal of 20,000 files during the next sample.
async function measureRepo(context, size) {
  const repo = context.repo(size);
  const fleet = await context.openFleet(size);
  let count = 0;
  const samples = await interleave(
    {
      node: () => context.runNode(),
      git: () => {
        count += 1;
        return addWorktree(context, repo, `floor-${count}`);
      },
      api: async () => {
        let session;
        const ms = await timed(async () => {
          session = await createSession(fleet, repo.name, "Measure the API");
        });
        await awaitFirstMessage(fleet, session);
        return ms;
      },
      command: async () => {
        const args = [context.world.cli, "new", "Measure the command", "--project", repo.name, "--json"];
        const { ms, stdout } = context.runProgram(process.execPath, args, { env: fleet.env });
        await awaitFirstMessage(fleet, JSON.parse(stdout));
        return ms;
      },
    },
    { rounds: context.pick(ROUNDS[size], 1) },
  );
  await fleet.kill();
  const git = median(samples.git);
  const aim = { on: "difference", atMost: AIM_OVER_MS };
  const shared = { unit: "ms", aim };
  return [
    {
      ...shared,
      name: `one session by the API, ${size} repository`,
      value: median(samples.api),
      floor: git,
      floorName: "git worktree add",
    },
    {
      ...shared,
      name: `one session by ao new, ${size} repository`,
      value: median(samples.command),
      floor: git + median(samples.node),
      floorName: "git worktree add + node -e 0",
    },
  ];
}

/** `git worktree add` beside the worktrees of ao, on the same disk. */
export function addWorktree(context, repo, name) {
  const args = ["worktree", "add", "-q", "-b", name, placeOf(repo, name), "main"];
  return context.runProgram("git", args, { cwd: repo.path }).ms;
}

/** Removes a worktree made by `addWorktree`. */
export function removeWorktree(context, repo, name) {
  context.runProgram("rm", ["-rf", placeOf(repo, name)]);
  context.runProgram("git", ["worktree", "prune"], { cwd: repo.path });
  context.runProgram("git", ["branch", "-q", "-D", name], { cwd: repo.path });
}

function placeOf(repo, name) {
  return join(repo.path, ".worktrees", name);
}
