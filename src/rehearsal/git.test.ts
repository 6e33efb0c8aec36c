import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git, makeRepo, writeFiles } from "../testing/git-repo.ts";
import { tempDir } from "../testing/temp.ts";
import { commitAll, findRepository } from "./git.ts";

describe("a commit of the rehearsal", () => {
  it("that is already in the history is not repeated, whatever has changed since", async () => {
    const repo = makeRepo(join(tempDir(), "repo"));
    const repository = await findRepository(repo);
    const commit = async (step: string, isRepetition: boolean): Promise<string> => {
      writeFiles(repo, { "a.txt": `${Math.random()}\n` });
      return commitAll(repository, { message: step, step, isRepetition });
    };
    expect(await commit("m.1/10", false)).toBe("committed");
    expect(await commit("m.1/1", true)).toBe("committed");
    expect(await commit("mx1/1", true)).toBe("committed");
    expect(await commit("m.1/1", true)).toBe("was committed");
    expect(git(repo, "log", "--format=%s")).toBe("mx1/1\nm.1/1\nm.1/10\nfirst\n");
  });

  it("concludes a merge, even one that leaves the branch unchanged", async () => {
    const repo = makeRepo(join(tempDir(), "repo"), { "a.txt": "a\n" });
    git(repo, "switch", "-q", "-c", "side");
    writeFiles(repo, { "a.txt": "side\n" });
    git(repo, "commit", "-qam", "side");
    git(repo, "switch", "-q", "main");
    writeFiles(repo, { "a.txt": "main\n" });
    git(repo, "commit", "-qam", "main");
    expect(() => git(repo, "merge", "-q", "side")).toThrow("merge -q side");
    writeFiles(repo, { "a.txt": "main\n" });
    const merge = { message: "Merge side", step: "m1/0", isRepetition: false };
    expect(await commitAll(await findRepository(repo), merge)).toBe("committed");
    expect(git(repo, "log", "-1", "--format=%s %p").trim().split(" ")).toHaveLength(4);
    expect(await commitAll(await findRepository(repo), merge)).toBe("nothing to commit");
  });

  it("needs a repository", async () => {
    await expect(findRepository(tempDir())).rejects.toMatchObject({ code: "not-a-repository" });
  });
});
