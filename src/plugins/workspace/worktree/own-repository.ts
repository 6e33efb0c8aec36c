import { dirname, join } from "node:path";
import { isBranchName } from "../../../core/branch-name.ts";
import type { HostFs } from "../../../ports/host.ts";
import type { CreateWorkspace } from "../../../ports/workspace.ts";
import { coverPath, recordProject } from "../../../providers/git/cover.ts";
import type { Asked } from "../../../providers/git/kind.ts";
import { writeMarker } from "../../../providers/git/marker.ts";
import { bringSaved, claimBranch } from "../../../providers/git/separate/begin.ts";
import { buildingPath } from "../../../providers/git/separate/checkouts.ts";
import type { Tools } from "../../../providers/git/tools.ts";
import { keepFirst } from "./borrowed.ts";
import { composeSettings } from "./own-settings.ts";
import { composeShown, SHOWN_FOLDER } from "./shown-refs.ts";
import { listVisible, packTags } from "./visible-refs.ts";

/** Folders that exist from the start, so that a sandbox can mount each on its own. */
const FOLDERS = [
  ...["hooks", "worktrees", "objects/info", "objects/pack"],
  ...["refs/heads", "refs/tags", "refs/remotes/origin", SHOWN_FOLDER],
];
/** What applies in a linked worktree too; `shallow` is where history ends. */
const COPIED = ["info/exclude", "info/attributes", "info/sparse-checkout", "shallow"];

/**
 * Creates a repository for one checkout that has no objects of its own yet: it borrows those of the project, which a
 * sandbox can only read. Written as files, so that no program needs an environment for it.
 */
export async function makeOwnRepository(
  tools: Tools,
  home: string,
  { place, request, plan, marker }: Asked,
): Promise<string> {
  const { fs } = tools.host;
  const building = buildingPath(place.path);
  const gitDir = join(building, ".git");
  if (plan.onto?.branch === request.branch) await claimBranch(tools, place, { request, plan });
  await fs.remove(building);
  const [visible, config, copied] = await Promise.all([
    listVisible(tools, request, plan.head),
    composeSettings(tools, request.project.path, { commonDir: place.commonDir, head: plan.head }),
    readCopied(fs, place.commonDir),
    recordProject(fs, coverPath(home, place.path), place.commonDir),
    ...FOLDERS.map((folder) => fs.makeDir(join(gitDir, folder))),
  ]);
  const commits = [plan.head, ...(plan.saved === null ? [] : [plan.saved.commit]), ...Object.values(visible.shown)];
  const shown = composeShown(visible.shown, request.branch);
  const files: Readonly<Record<string, string>> = {
    ...shown,
    HEAD: headOf(plan),
    // Git finds it before any other file that would name another folder with settings and hooks.
    commondir: ".\n",
    "config.worktree": "",
    config,
    "objects/info/alternates": `${join(place.commonDir, "objects")}\n`,
    "packed-refs": visible.packed,
    ...copied,
    ...branchFiles(request, plan, visible.own),
  };
  const folders = new Set(Object.keys(files).map((name) => dirname(join(gitDir, name))));
  await Promise.all([...folders].map((folder) => fs.makeDir(folder)));
  await Promise.all([
    keepFirst(tools, place, commits),
    packTags(tools, request.project.path, { tags: visible.tags, gitDir }),
    ...Object.entries(files).map(([name, text]) => fs.writeText(join(gitDir, name), text)),
  ]);
  if (request.restore) await bringSaved(tools, request, { plan, building });
  await writeMarker(fs, gitDir, marker);
  await fs.rename(building, place.path);
  return join(place.path, ".git");
}

function headOf({ onto, head }: Asked["plan"]): string {
  return onto === null ? `${head}\n` : `ref: refs/heads/${onto.branch}\n`;
}

/** The branches of the checkout, and the project's branch as it was when the checkout last knew it. */
function branchFiles(
  { branch }: CreateWorkspace,
  { onto, head }: Asked["plan"],
  own: string | null,
): Readonly<Record<string, string>> {
  const other = onto === null || onto.branch === branch || !isBranchName(onto.branch) ? null : onto.branch;
  return {
    ...(own === null ? {} : { [`refs/heads/${branch}`]: `${own}\n`, "refs/ao/seen": `${own}\n` }),
    ...(other === null ? {} : { [`refs/heads/${other}`]: `${head}\n` }),
  };
}

async function readCopied(fs: HostFs, commonDir: string): Promise<Readonly<Record<string, string>>> {
  const texts = await Promise.all(
    COPIED.map(async (name) => [name, await fs.readText(join(commonDir, name))] as const),
  );
  return Object.fromEntries(texts.filter((entry): entry is [string, string] => entry[1] !== null));
}
