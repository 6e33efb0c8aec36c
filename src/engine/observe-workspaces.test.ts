import { describe, expect, it } from "vitest";
import type { SessionState } from "../core/session/state.ts";
import { aCreate } from "../testing/builders.ts";
import { type BedOptions, type EngineBed, openEngineBed } from "../testing/engine-bed/engine-bed.ts";
import { createPerson, registerProject } from "../testing/engine-bed/story.ts";

/** How often a workspace is inspected during a turn, and between turns. */
const POLL_MS = 15_000;
const RESTING_MS = 60_000;

interface Scene {
  readonly bed: EngineBed;
  session(id?: string): SessionState;
}

/** Idle sessions that have done their task. */
async function openScene(options: BedOptions = {}, count = 1): Promise<Scene> {
  const bed = await openEngineBed(options);
  const person = createPerson(bed);
  const session = (id = "demo-1"): SessionState => bed.engine.loop.world.view.session(id) as SessionState;
  await registerProject(person);
  for (let n = 1; n <= count; n += 1) {
    bed.world.tracker.add({ title: "Look", body: "", labels: [], dependsOn: [], state: "open" });
    await person.command(aCreate({ issue: String(n), messageId: `m-${n}` }), `create-${n}`);
    await person.until("the end of its turn", () => session(`demo-${n}`).summary !== null);
  }
  return { bed, session };
}

const removeFolder = ({ bed, session }: Scene, id = "demo-1"): Promise<void> =>
  bed.world.machine.host.fs.remove(session(id).workspace.path ?? "");

describe("the workspace of a session", () => {
  it("that is removed by hand is noticed, and so is its return", async () => {
    const scene = await openScene();
    const { bed, session } = scene;
    await removeFolder(scene);
    await bed.advance(RESTING_MS);
    expect(session().workspace).toMatchObject({ state: "missing" });
    await bed.world.machine.host.fs.makeDir(session().workspace.path ?? "");
    await bed.advance(RESTING_MS);
    expect(session().workspace).toMatchObject({ state: "ready" });
  });

  it("whose branch is removed by hand is noticed", async () => {
    const { bed, session } = await openScene();
    bed.world.repository.refs.delete(`refs/heads/${session().branch}`);
    await bed.advance(RESTING_MS);
    expect(session().workspace).toMatchObject({ state: "branch-missing" });
  });

  it("writes nothing to the log while it is unchanged", async () => {
    const { bed } = await openScene();
    await bed.advance(RESTING_MS);
    const before = bed.engine.loop.lastPosition();
    await bed.advance(4 * RESTING_MS);
    expect(bed.world.scripts.workspace.count("inspect")).toBeGreaterThanOrEqual(5);
    expect(bed.engine.loop.lastPosition()).toBe(before);
  });

  it("is inspected every 15 seconds during a turn, and once a minute between turns", async () => {
    const { bed, session } = await openScene();
    const inspectionsIn = async (ms: number): Promise<number> => {
      const before = bed.world.scripts.workspace.count("inspect");
      await bed.advance(ms);
      return bed.world.scripts.workspace.count("inspect") - before;
    };
    expect(await inspectionsIn(4 * RESTING_MS)).toBe(4);
    const text = { inline: "!ask" };
    await bed.submit({ type: "session.send", sessionId: "demo-1", messageId: "m-ask", text, bytes: 4 });
    await bed.advance(POLL_MS);
    expect(session().turn).not.toBeNull();
    expect(await inspectionsIn(4 * POLL_MS)).toBe(4);
  });

  it("is not declared missing by an inconclusive inspection", async () => {
    const unsure: BedOptions = {
      ports: ({ workspace }) => ({
        workspace: { ...workspace, inspect: async () => ({ kind: "unknown", evidence: "the disk does not answer" }) },
      }),
    };
    const scene = await openScene(unsure);
    await removeFolder(scene);
    await scene.bed.advance(RESTING_MS);
    expect(scene.session().workspace.state).toBe("ready");
  });

  it("is inspected at once on request", async () => {
    const scene = await openScene();
    await removeFolder(scene);
    await scene.bed.engine.refresh("demo-1");
    expect(scene.session().workspace.state).toBe("missing");
  });

  it("that cannot be inspected does not hide others", async () => {
    const scene = await openScene({}, 2);
    const { bed, session } = scene;
    await removeFolder(scene, "demo-2");
    bed.world.scripts.workspace.failNext("inspect", new Error("no permission"));
    await bed.advance(RESTING_MS);
    expect([session("demo-1"), session("demo-2")].map(({ workspace }) => workspace.state)).toEqual([
      "ready",
      "missing",
    ]);
    expect(bed.world.machine.logged).toContainEqual(
      expect.objectContaining({ level: "warn", data: { session: "demo-1", reason: "Error: no permission" } }),
    );
  });

  it("is not inspected after the session has stopped", async () => {
    const { bed, session } = await openScene();
    await bed.submit({ type: "session.stop", sessionId: "demo-1", reason: "enough" });
    await bed.advance(RESTING_MS);
    expect(session().phase).toBe("stopped");
    const before = bed.world.scripts.workspace.count("inspect");
    await bed.advance(4 * RESTING_MS);
    expect(bed.world.scripts.workspace.count("inspect")).toBe(before);
  });
});
