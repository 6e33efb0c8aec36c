import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { OpenCollision } from "../core/project/collision.ts";
import { aCreate } from "../testing/builders.ts";
import { type EngineBed, openEngineBed } from "../testing/engine-bed/engine-bed.ts";
import { createPerson, type Person, registerProject } from "../testing/engine-bed/story.ts";

/** Longer than the observer waits after an event, shorter than it waits without one. */
const SOON_MS = 3000;
const WORKING_MS = 61_000;

interface Scene {
  readonly bed: EngineBed;
  readonly person: Person;
  collisions(): readonly Omit<OpenCollision, "since">[];
  /** Writes to a session's workspace, as its agent would during a turn. */
  write(id: string, files: Readonly<Record<string, string>>): Promise<void>;
  /** Gives a session another turn. */
  turn(id: string): Promise<void>;
}

/** Two idle sessions that have done their task, with only different files of their own. */
async function openScene(): Promise<Scene> {
  const bed = await openEngineBed();
  const person = createPerson(bed);
  const view = (): EngineBed["engine"]["loop"]["world"]["view"] => bed.engine.loop.world.view;
  await registerProject(person);
  let sent = 0;
  const scene: Scene = {
    bed,
    person,
    collisions: () => (view().project("demo")?.collisions ?? []).map(({ since: _, ...rest }) => rest),
    write: async (id, files) => {
      const folder = view().session(id)?.workspace.path ?? "";
      for (const [name, text] of Object.entries(files)) {
        await bed.world.machine.host.fs.writeText(join(folder, name), text);
      }
    },
    turn: async (id) => {
      const turns = view().session(id)?.turns ?? 0;
      sent += 1;
      const message = { messageId: `more-${sent}`, text: { inline: "go on" }, bytes: 5 };
      await person.command({ type: "session.send", sessionId: id, ...message }, `send-${sent}`);
      await person.until("the end of the turn", () => (view().session(id)?.turns ?? 0) > turns);
      await bed.advance(SOON_MS);
    },
  };
  for (const n of [1, 2]) {
    bed.world.tracker.add({ title: `Task ${n}`, body: "", labels: [], dependsOn: [], state: "open" });
    const prompt = { inline: `!commit made-${n}.txt` };
    await person.command(aCreate({ issue: String(n), prompt, messageId: `m-${n}` }), `create-${n}`);
    await person.until("its pull request", () => view().change(`demo/${n}`)?.phase === "open");
  }
  await bed.advance(SOON_MS);
  return scene;
}

const BOTH = { session: "demo-1", other: "demo-2", files: ["shared.txt"] };

async function collide({ write, turn }: Scene): Promise<void> {
  await write("demo-1", { "shared.txt": "one\n" });
  await write("demo-2", { "shared.txt": "two\n" });
  await turn("demo-1");
  await turn("demo-2");
}

describe("two sessions that change the same file", () => {
  it("collide before either has committed it, and stop colliding when one reverts it", async () => {
    const scene = await openScene();
    expect(scene.collisions()).toEqual([]);
    await collide(scene);
    expect(scene.collisions()).toEqual([BOTH]);
    await scene.write("demo-2", { "shared.txt": "one\n" });
    await scene.turn("demo-2");
    expect(scene.collisions()).toEqual([]);
  });

  it("stop colliding when one of them is stopped", async () => {
    const scene = await openScene();
    await collide(scene);
    await scene.person.command({ type: "session.stop", sessionId: "demo-2", reason: "enough" }, "stop");
    await scene.bed.advance(SOON_MS);
    expect(scene.collisions()).toEqual([]);
  });

  it("still collide after a restart, without a second event", async () => {
    const scene = await openScene();
    await collide(scene);
    await scene.bed.restart();
    await scene.bed.advance(WORKING_MS + SOON_MS);
    expect(scene.collisions()).toEqual([BOTH]);
    const types = (await scene.bed.store.read(0, 1_000_000)).map(({ event }) => event.type);
    expect(types.filter((type) => type.startsWith("collision."))).toEqual(["collision.found"]);
  });
});

describe("a session under which the base moves", () => {
  it("collides with the base in the files that both changed", async () => {
    const scene = await openScene();
    await scene.write("demo-1", { "README.md": "# ours\n" });
    await scene.turn("demo-1");
    scene.bed.world.repository.commitTo("main", { "README.md": "# theirs\n" });
    await scene.bed.advance(20_000);
    expect(scene.collisions()).toEqual([{ session: "demo-1", other: null, files: ["README.md"] }]);
  });
});

describe("a fleet in which nothing happens", () => {
  it("is not examined again", async () => {
    const scene = await openScene();
    await collide(scene);
    const { captured } = scene.bed.world.workspace;
    captured.length = 0;
    await scene.bed.advance(10 * WORKING_MS);
    expect(captured).toEqual([]);
  });

  it("is captured only where a turn ended", async () => {
    const scene = await openScene();
    const { captured } = scene.bed.world.workspace;
    captured.length = 0;
    await scene.write("demo-1", { "own.txt": "1\n" });
    await scene.turn("demo-1");
    expect(captured).toEqual(["demo-1"]);
  });
});
