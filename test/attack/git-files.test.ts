import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isFull } from "../../src/testing/full.ts";
import { git, writeFiles } from "../../src/testing/git-repo.ts";
import { LINKS, OTHERS, type Plant } from "./git-files.ts";
import { openGitScene, readUsers, WRITING, walkGitCalls } from "./git-scene.ts";

/** Every row creates a workspace and makes all calls, so `npm test` runs only a few. */
function sample(plants: readonly Plant[]): readonly (readonly [string, Plant])[] {
  return plants.filter((_, at) => isFull || at % 16 === 1).map((plant) => [plant.name, plant]);
}

async function attempt({ kind, plant }: Plant): Promise<void> {
  const scene = await openGitScene(kind);
  plant(scene);
  const before = readUsers(scene);
  await walkGitCalls(scene, WRITING);
  expect(readUsers(scene)).toEqual(before);
}

describe("git writes nothing through", () => {
  it.each(sample(LINKS))("%s", (_, plant) => attempt(plant));
});

describe("no file of the user is changed by", () => {
  it.each(sample(OTHERS))("%s", (_, plant) => attempt(plant));
});

describe("the shown commit is the merged commit, despite", () => {
  it.each(["refs/replace", "info/grafts"])("another commit by %s", async (place) => {
    const { repo, folder, ref, scm, base } = await openGitScene("worktree");
    writeFiles(folder, { "a.txt": "evil\n" });
    git(folder, "commit", "-q", "-a", "-m", "evil");
    const head = git(folder, "rev-parse", "HEAD").trim();
    const harmless = git(folder, "commit-tree", "-p", base, "-m", "harmless", `${base}^{tree}`).trim();
    if (place === "refs/replace") git(repo, "update-ref", `refs/replace/${head}`, harmless);
    else writeFileSync(join(repo, ".git/info/grafts"), `${base} ${head}\n`);
    expect(await scm.diff(ref.project, head, "main")).toContain("+evil");
    expect(await scm.countChanges(ref.project, { head, base })).toMatchObject({ files: 1 });
  });
});
