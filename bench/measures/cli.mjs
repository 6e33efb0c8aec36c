import { IDLE_SESSIONS } from "../context.mjs";
import { interleave, median } from "../statistics.mjs";

const ROUNDS = 21;

/** How long the shortest command takes, against the start of Node alone. */
export async function measureVersion(context) {
  return compare(context, {
    name: "ao --version",
    args: ["--version"],
    env: context.world.env,
    aim: 1.25,
  });
}

/** How long the commonest command takes with many sessions, against the start of Node alone. */
export async function measureStatus(context) {
  const { fleet } = await context.idleFleet();
  return compare(context, { name: `ao status, ${IDLE_SESSIONS} sessions`, args: ["status"], env: fleet.env, aim: 1.5 });
}

async function compare(context, { name, args, env, aim }) {
  const samples = await interleave(
    {
      floor: () => context.runNode(),
      value: () => context.runProgram(process.execPath, [context.world.cli, ...args], { env }).ms,
    },
    { rounds: ROUNDS, warmUp: 2 },
  );
  return [
    {
      name,
      unit: "ms",
      value: median(samples.value),
      floor: median(samples.floor),
      floorName: "node -e 0",
      aim: { on: "ratio", atMost: aim },
    },
  ];
}
