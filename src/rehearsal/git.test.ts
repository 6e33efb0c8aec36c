import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git, makeRepo, writeFiles } from "../testing/git-repo.ts";
import { tempDir } from "../testing/temp.ts";
import { commitAll, findRepository } from "./git.ts";

describe("a commit of the rehearsal", () => {
  it("that is in the history already is not made again, whatever has changed since", async () => {
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

  it("needs a repository", async () => {
    await expect(findRepository(tempDir())).rejects.toMatchObject({ code: "not-a-repository" });
  });
});
