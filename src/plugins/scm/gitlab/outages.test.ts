import { expect, it } from "vitest";
import { aGitlabScmScene, type GitlabScmScene } from "../../../testing/fake-gitlab/scm-scene.ts";
import { gitlabScm } from "./gitlab.ts";

const openScene = (): Promise<GitlabScmScene> => aGitlabScmScene(gitlabScm);

it("reports why GitLab cannot be used, and continues where it stopped", async () => {
  const scene = await openScene();
  const { gitlab, there, remote, project, scm } = scene;
  const { number } = await scene.open();
  const other = await scene.commit("agent/b", { "b.txt": "1\n" });
  const request = { project, branch: "agent/b", base: "main", head: other, title: "Add b", body: "", after: number };
  const restore = gitlab.faults.add({ on: /merge_requests/, kind: "status", status: 503, times: 99 });
  await expect(scm.ensureChange(request)).rejects.toMatchObject({
    category: "unavailable",
    message: expect.stringContaining("503"),
  });
  restore();
  gitlab.faults.add({ on: /^POST .*merge_requests$/, kind: "lost-answer" });
  await expect(scm.ensureChange(request)).rejects.toMatchObject({ category: "unknown-outcome" });
  const opened = await scm.ensureChange(request);
  expect([...there.record.mergeRequests.keys()]).toEqual([number, opened.number]);

  there.rename("renamed");
  const next = await scene.commit("agent/b", { "b.txt": "2\n" });
  const publish = { project, number: opened.number, branch: "agent/b", head: next, published: other };
  expect(await remote.publish(publish)).toEqual({ kind: "published" });

  await scene.pushAsPerson("agent/b", "");
  const gone = "its branch is gone from GitLab, or has no commits of its own there";
  const seen = await remote.readChanges(project, [{ number: opened.number, head: next }]);
  expect(seen).toMatchObject([{ state: "open", head: next, blocked: gone }]);

  gitlab.revoke(gitlab.token);
  const refused = { category: "auth", hint: expect.stringMatching(/GITLAB_TOKEN|ao doctor/) };
  await expect(scm.ensureChange(request)).rejects.toMatchObject(refused);
  await expect(remote.write({ project, number, write: { id: "w1", about: "x", kind: "close" } })).rejects.toMatchObject(
    refused,
  );
});

it("replies in a thread once, resolves it, and leaves a plain comment as is", async () => {
  const scene = await openScene();
  const { there, remote, project } = scene;
  const { number, head } = await scene.open();
  const thread = there.discuss(number, { body: "Why?", path: "a.txt", line: 1 });
  const plain = there.discuss(number, { body: "Nice.", isSingle: true });
  // Newer comments wait for a verdict that may still come.
  for (const note of [...thread.notes, ...plain.notes]) Object.assign(note, { createdAt: note.createdAt - 60_000 });
  const threadId = thread.id;
  const about = { id: "w1", about: threadId, threadId };
  const reply = { ...about, kind: "reply", commentId: "t1.2", author: "demo-1", text: "Done." } as const;
  for (let time = 0; time < 2; time += 1) await remote.write({ project, number, write: reply });
  await remote.write({ project, number, write: { ...about, kind: "resolve", resolved: true } });
  await remote.write({ project, number, write: { ...about, kind: "resolve", resolved: true, threadId: plain.id } });
  const [seen] = await remote.readChanges(project, [{ number, head }]);
  expect(seen?.reviews.flatMap(({ threads }) => threads)).toMatchObject([
    { resolvedBy: "octo", comments: [{ byAgent: false }, { id: "t1.2", byAgent: true }] },
    { resolvedBy: null, comments: [{ text: "Nice." }] },
  ]);
  expect(thread.notes).toHaveLength(2);
});
