import { expect } from "vitest";
import type { ChangeObservation } from "../../core/change/observation.ts";
import type { MergeRequest, RemoteForge } from "../../ports/scm.ts";
import { aMerge, type Facts, type ForgeQueue, type ScmScene } from "./scm-scene.ts";

interface Queued {
  readonly remote: RemoteForge;
  readonly queue: ForgeQueue;
  readonly request: MergeRequest;
  read(): Promise<ChangeObservation<string> | undefined>;
}

/** A pull request whose base has a merge queue. */
async function openQueued(scene: ScmScene): Promise<Queued> {
  const { queue } = scene;
  const { remote } = scene.scm;
  if (queue === undefined || remote === undefined) throw new Error("this forge has no merge queue");
  const head = await scene.commit("agent/a", { "a.txt": "1\n" });
  const request = await aMerge(scene, { branch: "agent/a", head });
  queue.require();
  const read = async () => (await remote.readChanges(scene.project, [{ ...request, isQueued: true }]))[0];
  return { remote, queue, request, read };
}

/** For forges with their own merge queue. */
export const QUEUEING: Facts = {
  "adds a pull request to the forge's merge queue once, and sees it merged there": async (scene) => {
    const { queue, request, read } = await openQueued(scene);
    const first = await scene.scm.merge(request);
    expect(first).toEqual({
      kind: "queued",
      name: expect.stringMatching(/merge (queue|train)/),
      position: 1,
      removal: null,
    });
    expect(await scene.scm.reconcileMerge(request)).toEqual({ kind: "not-done" });
    expect(await scene.scm.merge(request)).toEqual(first);
    expect(await read()).toMatchObject({ state: "open", queue: { position: 1, removal: null } });
    await queue.mergeNext();
    expect(await read()).toMatchObject({ state: "merged", head: request.head });
    expect(await scene.scm.reconcileMerge(request)).toMatchObject({ kind: "done", value: { kind: "merged" } });
  },
  "reports why the queue removed a pull request, with the failed check's log, and adds it again": async (scene) => {
    const { remote, queue, request, read } = await openQueued(scene);
    await scene.scm.merge(request);
    await queue.fail(request.number, { name: "build", log: "expected 1, got 2" });
    const seen = await read();
    expect(seen?.queue).toMatchObject({
      position: null,
      removal: { cause: "failure", reason: expect.stringMatching(/checks failed/), check: { name: "build" } },
    });
    const { check } = seen?.queue?.removal ?? {};
    if (check === undefined) throw new Error("the queue names no check");
    expect(await remote.readCheckLog(scene.project, check)).toContain("expected 1, got 2");
    const again = await scene.scm.merge(request);
    expect(again).toMatchObject({ kind: "queued", position: 1, removal: seen?.queue?.removal?.id });
  },
  "removes a pull request from the queue, once or twice": async (scene) => {
    const { remote, request, read } = await openQueued(scene);
    await scene.scm.merge(request);
    const write = { id: "w1", about: "queue", kind: "dequeue" } as const;
    for (let time = 0; time < 2; time += 1) await remote.write({ ...request, write });
    expect(await read()).toMatchObject({ queue: { position: null, removal: { cause: "person" } } });
  },
};
