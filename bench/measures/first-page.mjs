import { startBareServer, untilAnswers } from "../servers.mjs";
import { interleave, median } from "../statistics.mjs";

const ROUNDS = 9;
const AIM_MS = 400;

/** From the start of the daemon's process until it answers with the dashboard's first page. */
export async function measureFirstPage(context) {
  const { world } = context;
  const samples = await interleave(
    {
      floor: async () => {
        const bare = await startBareServer(world);
        await bare.stop();
        return bare.startedMs;
      },
      value: async () => {
        const fleet = await world.openFleet({ repos: [], isReady: untilAnswers });
        await fleet.kill();
        return fleet.startedMs;
      },
    },
    { rounds: context.pick(ROUNDS, 1) },
  );
  return [
    {
      name: "start of the daemon until the first page",
      unit: "ms",
      value: median(samples.value),
      floor: median(samples.floor),
      floorName: "a bare node:http server",
      aim: { on: "difference", atMost: AIM_MS },
    },
  ];
}
