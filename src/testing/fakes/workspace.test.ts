import { dirname, join } from "node:path";
import type { HostFs } from "../../ports/host.ts";
import { describeWorkspaceContract } from "../contracts/workspace.contract.ts";
import { type RepositoryTools, requestsFor, type WorkspaceFixture } from "../workspace-fixture.ts";
import { createFakeMachine } from "./host.ts";
import { createFakeRepository, type FakeRepository, type Tree } from "./repository.ts";
import { createRushingClock } from "./rushing-clock.ts";
import { createFakeWorkspace, type WorkspaceWorld } from "./workspace.ts";

const REPO = "/repo";

function openFixture(): WorkspaceFixture {
  const { fs } = createFakeMachine({ clock: createRushingClock() }).host;
  const repository = createFakeRepository();
  const world = createFakeWorkspace(fs, repository);
  return { workspace: world.workspace, repo: REPO, tools: createTools(fs, repository, world), ...requestsFor(REPO) };
}

function createTools(fs: HostFs, repository: FakeRepository, { branchAt }: WorkspaceWorld): RepositoryTools {
  const commitOf = (ref: string): string | null => repository.head(ref) ?? repository.refs.get(ref) ?? null;
  const treeOf = (ref: string): Tree => repository.get(commitOf(ref) ?? ref)?.tree ?? new Map();
  return {
    commitOf,
    commitTo: repository.commitTo,
    merge: (branch) => {
      const [main, theirs] = [commitOf("main") ?? "", commitOf(branch) ?? ""];
      const { tree } = repository.merge(main, theirs);
      repository.setHead("main", repository.commit({ parents: [main, theirs], tree, subject: "merge" }).id);
    },
    filesOf: (ref) => [...treeOf(ref).keys()].sort(),
    refs: (prefix) => [...repository.refs.keys()].filter((ref) => ref.startsWith(prefix)),
    branchAt: (path) => branchAt(path) ?? "",
    uncommitted: async (path) => {
      // The main checkout is not a folder here.
      if (path === REPO) return [];
      const [now, then] = [await readFolder(fs, path), treeOf(branchAt(path) ?? "")];
      return [...new Set([...now.keys(), ...then.keys()])].filter((name) => now.get(name) !== then.get(name)).sort();
    },
    commitAll: async (path, message) => {
      const branch = branchAt(path) ?? "";
      repository.commitTo(branch, Object.fromEntries(await readFolder(fs, path)), { message });
    },
    write: async (path, files) => {
      for (const [name, text] of Object.entries(files)) {
        await fs.makeDir(dirname(join(path, name)));
        await fs.writeText(join(path, name), text);
      }
    },
    read: fs.readText,
    exists: async (path) => (await fs.stat(path)) !== null,
    remove: fs.remove,
  };
}

/** The files of a folder, without subfolders. */
async function readFolder(fs: HostFs, path: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const name of await fs.list(path)) files.set(name, (await fs.readText(join(path, name))) ?? "");
  return files;
}

const NO_GIT = "its folders are plain files, without git";
const NO_SHELL = "it runs no commands";

describeWorkspaceContract({
  name: "of the test bed",
  create: () => openFixture().workspace,
  open: openFixture,
  skip: [
    { test: "runs postCreate in the folder, with the intent and the attempt", reason: NO_SHELL },
    { test: "tells postCreate by the attempt that it may have run before", reason: NO_SHELL },
    { test: "reports the command and its output when postCreate fails", reason: NO_SHELL },
    { test: "restores uncommitted work exactly", reason: "it knows neither an index nor links nor modes" },
    { test: "works with spaces, quotes, newlines and non-ASCII letters in names", reason: NO_GIT },
    { test: "keeps the folder of a nested repository", reason: NO_GIT },
    { test: "keeps the folder of a merge with conflicts", reason: NO_GIT },
    { test: "keeps the folder of a rebase in progress", reason: NO_GIT },
    {
      test: "counts uncommitted changes, and commits them on their branch",
      reason: "it ignores no files and has no authors",
    },
    { test: "commits nothing during a conflict or on another branch", reason: NO_GIT },
  ],
});
