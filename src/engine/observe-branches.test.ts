import { describe, expect, it } from "vitest";
import { aCreate } from "../testing/builders.ts";
import { type EngineBed, openEngineBed } from "../testing/engine-bed/engine-bed.ts";
import { createPerson, type Person, registerProject } from "../testing/engine-bed/story.ts";
import { nextTurn } from "../testing/gate.ts";

const POLL_MS = 15_000;

interface Scene {
  readonly bed: EngineBed;
  readonly person: Person;
  /** The head of the session's branch that the engine knows. */
  seen(id?: string): string | undefined;
  /** Commits to a session's branch as a person would, bypassing the agent. */
  commit(id?: string): string;
}

/** Sessions with an open pull request each, between two turns. */
async function openScene(count = 1): Promise<Scene> {
  const bed = await openEngineBed();
  const person = createPerson(bed);
  const { view } = bed.engine.loop.world;
  const ids = Array.from({ length: count }, (_, n) => `demo-${n + 1}`);
  await registerProject(person);
  for (const [n, id] of ids.entries()) {
    bed.world.tracker.add({ title: id, body: "", labels: [], dependsOn: [], state: "open" });
    const prompt = { inline: `!commit made-${n}.txt` };
    await person.command(aCreate({ issue: String(n + 1), prompt, messageId: `m-${id}` }), id);
    await person.until(`the pull request of ${id}`, () => view.change(`demo/${n + 1}`)?.phase === "open");
  }
  await bed.advance(POLL_MS);
  return {
    bed,
    person,
    seen: (id = "demo-1") => view.session(id)?.branchSeen?.head,
    commit: (id = "demo-1") => {
      const branch = view.session(id)?.branch ?? "";
      return bed.world.repository.commitTo(branch, { [`by-hand-${id}.txt`]: `at ${bed.world.clock.now()}\n` });
    },
  };
}

describe("the branch of a session with a pull request", () => {
  it("is read when someone commits to it between two turns", async () => {
    const { bed, commit, seen } = await openScene();
    const head = commit();
    await bed.advance(POLL_MS);
    expect(seen()).toBe(head);
  });

  it("costs one read of its head while nothing moves", async () => {
    const { bed } = await openScene();
    const { scm } = bed.world.scripts;
    const [heads, branches] = [scm.count("readHead"), scm.count("readBranch")];
    await bed.advance(2 * POLL_MS);
    // That of the branch, and that of the base.
    expect([scm.count("readHead") - heads, scm.count("readBranch") - branches]).toEqual([4, 0]);
  });

  it("is left alone during a turn, and read at its end", async () => {
    const { bed, person, commit, seen } = await openScene();
    const before = seen();
    const text = { inline: "!ask" };
    await person.command({ type: "session.send", sessionId: "demo-1", messageId: "m-ask", text, bytes: 4 }, "send");
    await person.until("the question", () => person.session()?.question != null);
    const head = commit();
    await bed.advance(2 * POLL_MS);
    expect(seen()).toBe(before);
    await person.command({ type: "session.answer", sessionId: "demo-1", choice: "Yes", messageId: "m-yes" }, "answer");
    await person.until("the end of the turn", () => seen() === head);
  });

  it("is read at once on request, and once for concurrent requests", async () => {
    const { bed, commit, seen } = await openScene();
    const head = commit();
    const gate = bed.world.scripts.scm.holdNext("readBranch");
    const asked = [bed.engine.refresh("demo-1"), bed.engine.refresh("demo-1")];
    await gate.arrived();
    await nextTurn();
    const before = bed.world.scripts.scm.count("readBranch");
    gate.open();
    await Promise.all(asked);
    expect(seen()).toBe(head);
    expect(bed.world.scripts.scm.count("readBranch")).toBe(before);
  });

  it("that cannot be read does not hide others, and is read the next time", async () => {
    const { bed, commit, seen } = await openScene(2);
    const heads = [commit("demo-1"), commit("demo-2")];
    bed.world.scripts.scm.failNext("readHead", new Error("index.lock exists"));
    await bed.advance(POLL_MS);
    expect([seen("demo-1") === heads[0], seen("demo-2") === heads[1]]).toEqual([false, true]);
    expect(bed.world.machine.logged).toContainEqual(
      expect.objectContaining({ level: "warn", data: { reason: "Error: index.lock exists" } }),
    );
    await bed.advance(POLL_MS);
    expect(seen("demo-1")).toBe(heads[0]);
  });

  it("is no longer read once the engine is closed", async () => {
    const { bed } = await openScene();
    await bed.engine.close();
    const before = bed.world.scripts.scm.count("readHead");
    await bed.world.clock.advance(10 * POLL_MS);
    expect(bed.world.scripts.scm.count("readHead")).toBe(before);
  });
});

describe("the base", () => {
  it("is read for projects with an open pull request", async () => {
    const { bed } = await openScene();
    const head = bed.world.repository.commitTo("main", { "other.txt": "by somebody else\n" });
    await bed.advance(POLL_MS);
    expect(bed.engine.loop.world.view.project("demo")?.baseHead).toBe(head);
  });

  it("is not read for others", async () => {
    const bed = await openEngineBed();
    await registerProject(createPerson(bed));
    await bed.advance(4 * POLL_MS);
    expect(bed.world.scripts.scm.count("readHead")).toBe(0);
  });
});
