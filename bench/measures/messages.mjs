import { open } from "node:fs/promises";
import { join } from "node:path";
import { awaitDelivery } from "../sessions.mjs";
import { interleave, percentile, timed } from "../statistics.mjs";

const MESSAGES = 200;
/** Three commits that reach the disk, one append, and a process that reads the agent's input. */
const AIM_MS = { 50: 6, 99: 20 };

/** From the POST of a message until the daemon has read the agent's receipt, against one durable append to the same disk. */
export async function measureMessages(context) {
  const { fleet, sessions } = await context.idleFleet();
  const file = await open(join(fleet.home, "floor"), "a");
  let turn = 0;
  const samples = await interleave(
    {
      floor: () => timed(() => appendDurably(file)),
      value: () => {
        turn += 1;
        const { id } = sessions[turn % sessions.length];
        return timed(() => sendAndWait(fleet, id));
      },
    },
    { rounds: context.pick(MESSAGES, 3), warmUp: context.pick(10, 1) },
  );
  await file.close();
  return [50, 99].map((percent) => ({
    name: `message until its receipt, p${percent}`,
    unit: "ms",
    value: percentile(samples.value, percent),
    floor: percentile(samples.floor, percent),
    floorName: `one append with fdatasync, p${percent}`,
    aim: { on: "value", atMost: AIM_MS[percent] },
  }));
}

async function sendAndWait(fleet, sessionId) {
  const { messageId } = await fleet.api.call("POST", `/api/sessions/${sessionId}/message`, {
    content: "Please look at this again.",
  });
  await awaitDelivery(fleet, sessionId, messageId);
}

async function appendDurably(file) {
  await file.write("x".repeat(200));
  await file.datasync();
}
