import { describe, expect, it } from "vitest";
import type { SeenRepository } from "../core/project/repository.ts";
import type { ProjectState } from "../core/project/state.ts";
import { aCreate } from "../testing/builders.ts";
import { type EngineBed, openEngineBed } from "../testing/engine-bed/engine-bed.ts";
import { createPerson, type Person, registerProject } from "../testing/engine-bed/story.ts";

const POLL_MS = 15_000;

interface Scene {
  readonly bed: EngineBed;
  readonly person: Person;
  /** The commit of the default branch, whether the repository is there, and how many commits a look finds lost. */
  readonly repository: { head: string; isGone: boolean; lost: number };
  /** The commits from which on looks were asked for. */
  readonly asked: (string | null)[];
  project(): ProjectState;
}

async function openScene(): Promise<Scene> {
  const repository = { head: "c1", isGone: false, lost: 0 };
  const asked: (string | null)[] = [];
  const inspectRepository = async (_: unknown, since: string | null): Promise<SeenRepository> => {
    asked.push(since);
    if (repository.isGone) return { kind: "missing", evidence: "gone" };
    return { kind: "present", base: { since, head: repository.head, lost: repository.lost, commits: [] } };
  };
  const bed = await openEngineBed({ ports: ({ scm }) => ({ scm: { ...scm, inspectRepository } }) });
  const person = createPerson(bed);
  await registerProject(person);
  const project = (): ProjectState => bed.engine.loop.world.view.project("demo") as ProjectState;
  return { bed, person, repository, asked, project };
}

async function runSession({ bed, person }: Scene): Promise<void> {
  bed.world.tracker.add({ title: "Look", body: "", labels: [], dependsOn: [], state: "open" });
  await person.command(aCreate({ issue: "1", messageId: "m-1" }), "create");
  await person.until("the end of its turn", () => person.session()?.summary != null);
}

describe("the repository of a project", () => {
  it("is followed from the request of its first session on, and a rewritten branch is noticed within a poll", async () => {
    const scene = await openScene();
    await runSession(scene);
    expect(scene.project().ownBase).toBe("c1");
    Object.assign(scene.repository, { head: "c2", lost: 1 });
    await scene.bed.advance(POLL_MS);
    expect(scene.project().baseWarning).toMatchObject({ kind: "rewritten", from: "c1", head: "c2" });
  });

  it("may be rewritten by its owner while no agent runs", async () => {
    const { bed, repository, asked, project } = await openScene();
    await bed.advance(POLL_MS);
    Object.assign(repository, { head: "c2", lost: 1 });
    await bed.advance(POLL_MS);
    expect(asked).toEqual([null, null]);
    expect(project()).not.toHaveProperty("baseWarning");
  });

  it("is looked at once more when an agent ends, which may have rewritten the branch last", async () => {
    const scene = await openScene();
    await runSession(scene);
    Object.assign(scene.repository, { head: "c2", lost: 1 });
    await scene.person.command({ type: "session.stop", sessionId: "demo-1", reason: "enough" }, "stop");
    await scene.person.until("the warning", () => scene.project().baseWarning != null);
  });

  it("that is gone is noticed without any session, and so is its return", async () => {
    const { bed, repository, project } = await openScene();
    repository.isGone = true;
    await bed.advance(POLL_MS);
    expect(project().missing).toMatchObject({ evidence: "gone" });
    const before = bed.engine.loop.lastPosition();
    await bed.advance(2 * POLL_MS);
    expect(bed.engine.loop.lastPosition()).toBe(before);
    repository.isGone = false;
    await bed.advance(POLL_MS);
    expect(project().missing).toBeNull();
  });
});
