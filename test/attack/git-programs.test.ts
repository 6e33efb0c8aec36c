import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { isFull } from "../../src/testing/full.ts";
import { git, writeFiles } from "../../src/testing/git-repo.ts";
import { ATTRIBUTES, PLACES, type Place, PROGRAMS } from "./git-programs.ts";
import { type GitScene, openGitScene, setTraps, type Traps, walkGitCalls } from "./git-scene.ts";

/** Signed commits make `git log` start a program, if the settings say so. */
function addSignedCommit({ folder }: GitScene): void {
  const text = git(folder, "cat-file", "commit", "HEAD").replace(
    /^committer .*$/m,
    "$&\ngpgsig -----BEGIN PGP SIGNATURE-----\n -----END PGP SIGNATURE-----",
  );
  const { stdout } = spawnSync("git", ["hash-object", "-t", "commit", "-w", "--stdin"], { cwd: folder, input: text });
  git(folder, "update-ref", "HEAD", stdout.toString().trim());
}

async function open(place: Place): Promise<{ readonly scene: GitScene; readonly traps: Traps }> {
  const scene = await openGitScene(place.kind, place.prepare);
  const traps = setTraps(PROGRAMS);
  writeFiles(scene.folder, { ".gitattributes": ATTRIBUTES, "new.md": "new\n" });
  addSignedCommit(scene);
  place.plant(scene, traps);
  return { scene, traps };
}

/** All traps of a place are set at once, and every call is made once; each trap is then a separate row. */
function walkOnce(place: Place): () => Promise<{ readonly sprung: readonly string[]; readonly refused: object }> {
  let walked: ReturnType<ReturnType<typeof walkOnce>> | null = null;
  const walk = async () => {
    const { scene, traps } = await open(place);
    const refused = Object.fromEntries(await walkGitCalls(scene));
    return { sprung: traps.sprung(), refused };
  };
  return () => {
    walked ??= walk();
    return walked;
  };
}

// The other places use the same code paths in git, so `npm test` skips them.
for (const place of isFull ? PLACES : PLACES.slice(0, 3)) {
  const walked = walkOnce(place);
  describe(`git starts no program because of ${place.name}`, () => {
    it.each(PROGRAMS)("%s", async (name) => {
      expect((await walked()).sprung).not.toContain(name);
    });

    it(place.works ? "and every call still works" : "and the folder is refused", async () => {
      expect(Object.keys((await walked()).refused).length > 0, JSON.stringify(await walked())).toBe(!place.works);
    });
  });
}

it("plain git falls into these traps, so they are real", async () => {
  const [place] = PLACES;
  if (place === undefined) throw new Error("no place");
  const { scene, traps } = await open(place);
  for (const command of ["status", "diff", "log", "add -A", "commit --allow-empty -m x", "checkout --detach"]) {
    spawnSync("git", command.split(" "), { cwd: scene.folder, timeout: 20_000 });
  }
  const live = ["core.fsmonitor", "filter.x.clean", "diff.x.command", "gpg.program", "hook post-checkout"];
  expect(traps.sprung()).toEqual(expect.arrayContaining(live));
});
