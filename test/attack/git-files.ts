import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { git, writeFiles } from "../../src/testing/git-repo.ts";
import type { GitScene, Kind } from "./git-scene.ts";

/** Something that an agent leaves in a git folder or workspace. */
export interface Plant {
  readonly name: string;
  readonly kind: Kind;
  plant(scene: GitScene): void;
}

/** Puts a link in place of one of git's files or folders: to a file or folder of the user. */
function link(path: string, target: string): void {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
}

const OWN_FILES = [
  "HEAD",
  "index",
  "logs/HEAD",
  "ORIG_HEAD",
  "COMMIT_EDITMSG",
  "FETCH_HEAD",
  "MERGE_HEAD",
  "AUTO_MERGE",
];
const SHARED_FILES = ["info/exclude", "packed-refs", "shallow", "logs/refs/heads/agent/one", "logs/refs/heads/main"];
const SHARED_FOLDERS = ["refs/heads/agent", "refs/ao", "logs/refs/heads", "objects/pack", "objects/info"];

function linked(kind: Kind): readonly Plant[] {
  const sharedOf = ({ repo, gitDir }: GitScene): string => (kind === "clone" ? gitDir : join(repo, ".git"));
  const plant = (name: string, put: (scene: GitScene) => void): Plant => ({
    name: `a link in place of ${name} of a ${kind}`,
    kind,
    plant: put,
  });
  return [
    ...OWN_FILES.map((name) => plant(name, ({ gitDir, own }) => link(join(gitDir, name), own))),
    ...["logs", "refs"].map((name) => plant(name, ({ gitDir, outside }) => link(join(gitDir, name), outside))),
    ...SHARED_FILES.map((name) => plant(name, (scene) => link(join(sharedOf(scene), name), scene.own))),
    ...SHARED_FOLDERS.map((name) => plant(name, (scene) => link(join(sharedOf(scene), name), scene.outside))),
    plant("every folder of objects", (scene) => {
      const objects = join(sharedOf(scene), "objects");
      const names = Array.from({ length: 256 }, (_, at) => at.toString(16).padStart(2, "0"));
      for (const name of names) if (!existsSync(join(objects, name))) link(join(objects, name), scene.outside);
    }),
  ];
}

function entry(name: string, plant: Plant["plant"], kind: Kind = "worktree"): Plant {
  return { name, kind, plant };
}

/** Links in place of what git writes. */
export const LINKS: readonly Plant[] = [...linked("worktree"), ...linked("clone")];

/** Everything else that could make `ao` write, move or delete the user's files. */
export const OTHERS: readonly Plant[] = [
  entry("HEAD that names the user's branch", ({ gitDir }) =>
    writeFileSync(join(gitDir, "HEAD"), "ref: refs/heads/main\n"),
  ),
  entry("HEAD that leads out of the repository", ({ gitDir }) =>
    writeFileSync(join(gitDir, "HEAD"), "ref: refs/heads/../../../../x\n"),
  ),
  entry(
    "a branch that stands for the user's in a clone",
    ({ gitDir }) => writeFileSync(join(gitDir, "refs/heads/agent/one"), "ref: refs/heads/main\n"),
    "clone",
  ),
  entry("packed-refs that is no list of refs", ({ repo }) =>
    writeFileSync(join(repo, ".git/packed-refs"), "-----BEGIN\n\0\n../../x refs/heads/../../x\n"),
  ),
  entry("an index that is damaged", ({ gitDir }) => writeFileSync(join(gitDir, "index"), "DIRC\0\0\0\u0002link")),
  entry("an entry that names a folder of the user's as its checkout", ({ gitDir, outside }) =>
    writeFileSync(join(gitDir, "gitdir"), `${outside}/.git\n`),
  ),
  entry("a marker of ao that names another session", ({ gitDir }) => {
    for (const name of readdirSync(gitDir).filter((one) => one.startsWith("ao")))
      writeFileSync(join(gitDir, name), "{");
  }),
  entry("folders of objects of the user's", ({ repo, outside }) =>
    writeFiles(repo, { ".git/objects/info/alternates": `${outside}\n`, ".git/objects/info/http-alternates": "/\n" }),
  ),
  entry("submodules with addresses that are commands", ({ folder, own }) => {
    const text = `[submodule "x"]\n\tpath = x\n\turl = ext::sh -c 'echo >> ${own}'\n\tupdate = !echo >> ${own}\n`;
    writeFiles(folder, { ".gitmodules": text });
    git(folder, "update-index", "--add", "--cacheinfo", `160000,${git(folder, "rev-parse", "HEAD").trim()},x`);
  }),
  entry("addresses that are commands in the project's settings", ({ repo, own }) => {
    git(repo, "config", `url.ext::sh -c "echo >> ${own}" .insteadOf`, "/");
    git(repo, "config", "protocol.ext.allow", "always");
  }),
  entry(
    "addresses that are commands in a clone's settings",
    ({ repo, folder, own }) => {
      git(folder, "config", `url.ext::sh -c "echo >> ${own}" .insteadOf`, repo);
      git(folder, "config", "protocol.ext.allow", "always");
    },
    "clone",
  ),
  entry("core.worktree that names a folder of the user's", ({ repo, outside }) =>
    git(repo, "config", "core.worktree", outside),
  ),
  entry(
    "core.worktree that names a folder of the user's, in a clone",
    ({ folder, outside }) => git(folder, "config", "core.worktree", outside),
    "clone",
  ),
  entry("another file of excludes and attributes", ({ repo, own }) => {
    git(repo, "config", "core.excludesFile", own);
    git(repo, "config", "core.attributesFile", own);
  }),
  entry("a link in place of the workspace", ({ folder, outside }) => {
    renameSync(folder, `${folder}-away`);
    symlinkSync(outside, folder);
  }),
  entry("a link to a folder of the user's inside of the workspace", ({ folder, outside }) =>
    symlinkSync(outside, join(folder, "theirs")),
  ),
  entry("a link to the user's file in place of a file that git wrote", ({ folder, own }) =>
    link(join(folder, "b.txt"), own),
  ),
  entry("a link where the workspace is moved for its removal", ({ folder, outside }) =>
    symlinkSync(outside, join(dirname(folder), ".ao-removing-one")),
  ),
  entry("a link where the workspace is deleted", ({ folder, outside }) =>
    symlinkSync(outside, join(dirname(folder), ".ao-deleting-one")),
  ),
  ...[
    "--output=x",
    "-rf",
    "--",
    "-",
    ":(exclude)*",
    ":!b.txt",
    "$(touch x)",
    "`touch x`",
    "a\nb",
    "\u202ea",
    "\\x",
    '"',
  ].map((name) => entry(`a file named ${JSON.stringify(name)}`, ({ folder }) => writeFiles(folder, { [name]: "x\n" }))),
  ...[".GIT/config", ".git\u200c/config", "git~1/config", ".gitmodules/x", ".gitattributes/x", ".gitignore/x"].map(
    (name) =>
      entry(`a file at ${JSON.stringify(name)}`, ({ folder }) =>
        writeFiles(folder, { [name]: "[core]\n\tfsmonitor=x\n" }),
      ),
  ),
  ...["working-tree-encoding=UTF-16", "working-tree-encoding=none", "ident", "eol=crlf", "text", "export-subst"].map(
    (attribute) =>
      entry(`the attribute ${attribute} for every file`, ({ folder }) =>
        writeFiles(folder, { ".gitattributes": `* ${attribute}\n` }),
      ),
  ),
];
