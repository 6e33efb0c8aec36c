import { appendFileSync, chmodSync, copyFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { quote } from "../../src/providers/git/cover.ts";
import { git, writeFiles } from "../../src/testing/git-repo.ts";
import type { GitScene, Kind, Traps } from "./git-scene.ts";

/** Settings that make some command of git start a program. */
const SETTINGS = [
  ...["core.fsmonitor", "core.sshCommand", "core.editor", "core.pager", "core.askPass", "core.gitProxy"],
  ...["core.alternateRefsCommand", "credential.helper", "gpg.program", "sequence.editor", "diff.external"],
  ...["diff.x.command", "diff.x.textconv", "filter.x.clean", "filter.x.smudge", "filter.y.process", "merge.x.driver"],
  ...["pager.diff", "pager.log", "interactive.diffFilter", "trailer.x.command", "trailer.x.cmd"],
  ...["uploadpack.packObjectsHook", "remote.origin.uploadpack", "remote.project.uploadpack", "submodule.sub.update"],
  ...["alias.diff", "alias.status", "alias.commit", "difftool.x.cmd", "mergetool.x.cmd"],
];

const HOOKS = [
  ...["applypatch-msg", "commit-msg", "post-applypatch", "post-checkout", "post-commit", "post-index-change"],
  ...["post-merge", "post-receive", "post-rewrite", "post-update", "pre-applypatch", "pre-auto-gc", "pre-commit"],
  ...["pre-merge-commit", "pre-push", "pre-rebase", "pre-receive", "prepare-commit-msg", "push-to-checkout"],
  ...["reference-transaction", "sendemail-validate", "update"],
];

/** Everything that can name a program, by its name. */
export const PROGRAMS: readonly string[] = [...SETTINGS, ...HOOKS.map((name) => `hook ${name}`)];

/** Turns on the features that use the programs above: signing, verifying, and entering submodules. */
const SWITCHES: readonly (readonly [string, string])[] = [
  ...["commit.gpgSign", "tag.gpgSign", "log.showSignature", "merge.verifySignatures", "submodule.recurse"],
  ...["status.submoduleSummary", "filter.x.required", "filter.y.required", "core.untrackedCache"],
].map((name) => [name, "true"] as const);

function format(settings: readonly (readonly [string, string])[]): string {
  return settings
    .map(([name, value]) => {
      const [section = "", ...rest] = name.split(".");
      const key = rest.pop() ?? "";
      const head = rest.length === 0 ? section : `${section} ${quote(rest.join("."))}`;
      return `[${head}]\n\t${key} = ${quote(value)}\n`;
    })
    .join("");
}

/** Settings that start every trap, as the text of a configuration file. */
function hostileSettings(traps: Traps): string {
  const isShell = /^(alias|submodule|credential)\./;
  const named = SETTINGS.map((name) => [name, `${isShell.test(name) ? "!" : ""}${traps.path(name)}`] as const);
  return format([...named, ...SWITCHES]);
}

function plantHooks(folder: string, traps: Traps): void {
  mkdirSync(folder, { recursive: true });
  for (const name of HOOKS) {
    copyFileSync(traps.path(`hook ${name}`), join(folder, name));
    chmodSync(join(folder, name), 0o755);
  }
}

/** A bare repository of the agent with all of it. */
function evilRepository(scene: GitScene, traps: Traps): string {
  const path = join(scene.folder, "../evil.git");
  git(scene.repo, "clone", "-q", "--bare", scene.repo, path);
  appendFileSync(join(path, "config"), `[core]\n\tbare = false\n${hostileSettings(traps)}`);
  plantHooks(join(path, "hooks"), traps);
  return path;
}

/** Where an agent can put settings and hooks. */
export interface Place {
  readonly name: string;
  readonly kind: Kind;
  /** Does the product keep working there, instead of refusing the folder? */
  readonly works: boolean;
  prepare?(repo: string): void;
  plant(scene: GitScene, traps: Traps): void;
}

export const PLACES: readonly Place[] = [
  {
    name: "the project's own settings and hooks",
    kind: "worktree",
    works: true,
    plant: ({ repo }, traps) => {
      appendFileSync(join(repo, ".git/config"), hostileSettings(traps));
      plantHooks(join(repo, ".git/hooks"), traps);
    },
  },
  {
    name: "a clone's settings and hooks",
    kind: "clone",
    works: true,
    plant: ({ gitDir }, traps) => {
      appendFileSync(join(gitDir, "config"), hostileSettings(traps));
      plantHooks(join(gitDir, "hooks"), traps);
    },
  },
  {
    name: "commondir in a worktree's git folder",
    kind: "worktree",
    works: true,
    plant: (scene, traps) => writeFileSync(join(scene.gitDir, "commondir"), evilRepository(scene, traps)),
  },
  {
    name: "commondir in a clone",
    kind: "clone",
    works: true,
    plant: (scene, traps) => writeFileSync(join(scene.gitDir, "commondir"), evilRepository(scene, traps)),
  },
  {
    name: "a file that the project's settings include, and another folder of hooks",
    kind: "worktree",
    works: true,
    plant: ({ repo, folder }, traps) => {
      writeFileSync(join(folder, "../included"), hostileSettings(traps));
      plantHooks(join(folder, "../hooks"), traps);
      const include = format([["include.path", join(folder, "../included")]]);
      appendFileSync(join(repo, ".git/config"), `${include}${format([["core.hooksPath", join(folder, "../hooks")]])}`);
    },
  },
  {
    name: "settings of the worktree alone",
    kind: "worktree",
    works: true,
    prepare: (repo) => void git(repo, "config", "extensions.worktreeConfig", "true"),
    plant: ({ gitDir, folder }, traps) => {
      plantHooks(join(folder, "../hooks"), traps);
      const hooks = format([["core.hooksPath", join(folder, "../hooks")]]);
      writeFileSync(join(gitDir, "config.worktree"), `${hostileSettings(traps)}${hooks}`);
    },
  },
  {
    name: "a submodule's settings and hooks",
    kind: "worktree",
    works: true,
    plant: (scene, traps) => {
      const { folder } = scene;
      mkdirSync(join(folder, "sub"));
      writeFileSync(join(folder, "sub/.git"), `gitdir: ${evilRepository(scene, traps)}\n`);
      writeFiles(folder, { "sub/x": "x\n", "sub/.gitattributes": ATTRIBUTES });
      git(folder, "update-index", "--add", "--cacheinfo", `160000,${git(folder, "rev-parse", "HEAD").trim()},sub`);
    },
  },
  {
    name: "a .git file that names another repository",
    kind: "worktree",
    works: false,
    plant: (scene, traps) => {
      const entry = join(evilRepository(scene, traps), "worktrees/one");
      mkdirSync(entry, { recursive: true });
      writeFiles(entry, { HEAD: "ref: refs/heads/main\n", commondir: "../..\n", gitdir: `${scene.folder}/.git\n` });
      writeFileSync(join(scene.folder, ".git"), `gitdir: ${entry}\n`);
    },
  },
  {
    name: "a repository in place of the .git file",
    kind: "worktree",
    works: false,
    plant: (scene, traps) => {
      const evil = evilRepository(scene, traps);
      rmSync(join(scene.folder, ".git"));
      renameSync(evil, join(scene.folder, ".git"));
    },
  },
];

/** Gives every file the drivers of the settings above. */
export const ATTRIBUTES = "* filter=x diff=x merge=x\n*.md filter=y\n";
