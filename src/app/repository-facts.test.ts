import { expect, it } from "vitest";
import type { ExecResult } from "../ports/host.ts";
import { createBedWorld } from "../testing/engine-bed/world.ts";
import { readRepository, requireFolder } from "./repository-facts.ts";

/** A host whose git answers this for every folder. */
function hostWhereGitSays(answer: Partial<ExecResult>): Parameters<typeof readRepository>[0] {
  const { host } = createBedWorld().machine;
  const said: ExecResult = { code: 128, stdout: "", stderr: "", ...answer };
  const exec = async ({ args }: { readonly args: readonly string[] }): Promise<ExecResult> =>
    args.includes("--version") ? { code: 0, stdout: "git version 2.45.0", stderr: "" } : said;
  return { ...host, exec };
}

it("mentions safe.directory for another user's repository", async () => {
  const host = hostWhereGitSays({ stderr: "fatal: detected dubious ownership in repository at '/srv/my app'" });
  await expect(readRepository(host, "/srv/my app", null)).rejects.toMatchObject({
    message: "/srv/my app belongs to another user, so git does not use it.",
    hint: "If you trust it: `git config --global --add safe.directory '/srv/my app'`",
  });
});

it("reports that a bare repository cannot be used, and what to use instead", async () => {
  await expect(readRepository(hostWhereGitSays({ stdout: "true\n" }), "/srv/bare.git", null)).rejects.toMatchObject({
    message: "/srv/bare.git is a bare repository, which ao cannot work in.",
    hint: "Clone it, and give the path of the clone.",
  });
});

it("leaves out the password in the address of the remote", async () => {
  const answers: Readonly<Record<string, string>> = {
    "rev-parse --show-toplevel": "/srv/app",
    "worktree list --porcelain": "worktree /srv/app\n",
    "remote get-url origin": "https://ada:secret@forge.example.com/octo/app.git\n",
  };
  const { host } = createBedWorld().machine;
  const exec = async ({ args }: { readonly args: readonly string[] }): Promise<ExecResult> => {
    const asked = Object.keys(answers).find((words) => args.join(" ").endsWith(words));
    return { code: 0, stdout: asked === undefined ? "git version 2.45.0" : (answers[asked] ?? ""), stderr: "" };
  };
  expect(await readRepository({ ...host, exec }, "/srv/app", "main")).toEqual({
    root: "/srv/app",
    defaultBranch: "main",
    remote: "https://forge.example.com/octo/app.git",
  });
});

it("refuses a folder with a line break in its name, and shows the whole name", async () => {
  await expect(requireFolder(hostWhereGitSays({}), "/srv/a\nb")).rejects.toMatchObject({
    message: '"/srv/a\\nb" has a line break in its name, which git cannot keep in the files of its worktrees.',
    hint: "Rename the folder.",
  });
});
