import { aCreate } from "../builders.ts";
import type { EngineBed } from "./engine-bed.ts";
import { createPerson, registerProject } from "./story.ts";

const SESSION = "demo-fix-it";

/** How messages reach the agent: a file that it follows, one process per message, or a terminal. */
export type Input = "inbox" | "file" | "terminal";

/** A session whose agent dies, and which is stopped and restored: everything that `liveOnce` lacks. */
export async function liveTwice(bed: EngineBed, input: Input): Promise<void> {
  const person = createPerson(bed);
  const session = () => bed.engine.loop.world.view.session(SESSION);
  const isSettled = (id: string): boolean => timesHeard(bed, id) > 0 || isInDoubt(bed, id);
  const send = (messageId: string): Promise<void> => {
    const text = { inline: `This is ${messageId}.` };
    return person.command({ type: "session.send", sessionId: SESSION, messageId, text, bytes: 9 }, messageId);
  };
  await registerProject(person);
  await person.command(aCreate({ input, prompt: { inline: "This is m-task." } }), "create");
  await person.until("the task", () => isSettled("m-task"));
  const [first] = bed.world.runtime.starts;
  if (first !== undefined) bed.world.runtime.vanish(first);
  await person.until("its death", () => session()?.run.n !== 1 || session()?.run.state !== "alive");
  await send("m-2");
  await person.until("the message after the death", () => isSettled("m-2"));
  await person.command({ type: "session.stop", sessionId: SESSION, reason: "enough" }, "stop");
  await person.until("the end", () => session()?.phase === "stopped" && session()?.workspace.state === "removed");
  await person.command({ type: "session.restore", sessionId: SESSION }, "restore");
  await person.until("its return", () => session()?.phase === "open" && session()?.workspace.state === "ready");
  await send("m-3");
  await person.until("the message after the return", () => isSettled("m-3"));
  await person.command({ type: "session.stop", sessionId: SESSION, reason: "done" }, "stop again");
  await person.until(
    "the second end",
    () => session()?.phase === "stopped" && session()?.workspace.state === "removed",
  );
  await person.until("no intent to be open", () => bed.engine.loop.openIntents.size === 0);
}

/** Everything wrong after `liveTwice`. */
export async function judgeTwice(bed: EngineBed): Promise<readonly string[]> {
  const { world, engine, store } = bed;
  const starts = world.runtime.starts.map(({ run }) => run);
  const events = await store.read(0, Number.MAX_SAFE_INTEGER);
  const bad = events.flatMap(({ event }) =>
    event.type === "intent.finished" && event.outcome !== "done" ? [{ id: event.id, outcome: event.outcome }] : [],
  );
  // Text typed into a terminal leaves no trace to reconcile by: then a person is asked, and nothing is typed twice.
  const isExcused = (id: string): boolean =>
    id.includes("/send-message/") && world.runtime.runtime.terminal !== undefined;
  return [
    ...["m-task", "m-2", "m-3"]
      .filter((id) => timesHeard(bed, id) !== 1 && !isInDoubt(bed, id))
      .map((id) => `${id} was heard ${timesHeard(bed, id)} times`),
    ...(new Set(starts).size === starts.length ? [] : [`runs were started twice: ${starts.join(" ")}`]),
    ...(world.workspace.created.length === 2 ? [] : [`${world.workspace.created.length} workspaces were made`]),
    ...[...engine.loop.openIntents.keys()].map((id) => `${id} never ended`),
    ...bad.filter(({ id }) => !isExcused(id)).map(({ id, outcome }) => `${id} is ${outcome}`),
  ];
}

function timesHeard({ world }: EngineBed, id: string): number {
  return world.diary.filter(({ text }) => text.includes(`This is ${id}.`)).length;
}

/** Did the agent get it at most once, and does the session report the uncertainty? */
function isInDoubt(bed: EngineBed, id: string): boolean {
  const message = bed.engine.loop.world.view.session(SESSION)?.messages.find((one) => one.id === id);
  return message?.status === "unknown" && timesHeard(bed, id) <= 1;
}
