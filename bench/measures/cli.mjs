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
  const { fleet, sessions } = await context.idleFleet();
  const name = `ao status, ${sessions.length} sessions`;
  return compare(context, { name, args: ["status"], env: fleet.env, aim: 1.5 });
}

async function compare(context, { name, args, env, aim }) {
  const samples = await interleave(
    {
      floor: () => context.runNode(),
      value: () => context.runProgram(process.execPath, [context.world.cli, ...args], { env }).ms,
    },
    { rounds: context.pick(ROUNDS, 2), warmUp: context.pick(2, 1) },
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
