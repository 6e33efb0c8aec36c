import { dirname, join } from "node:path";
import { coverPath, recordProject } from "../../../providers/git/cover.ts";
import type { Asked } from "../../../providers/git/kind.ts";
import { writeMarker } from "../../../providers/git/marker.ts";
import { bringSaved, claimBranch, setHead } from "../../../providers/git/separate/begin.ts";
import { buildingPath } from "../../../providers/git/separate/checkouts.ts";
import { writeSettings } from "../../../providers/git/separate/settings.ts";
import { CLONE, FETCH } from "../../../providers/git/separate/transfer.ts";
import type { Tools } from "../../../providers/git/tools.ts";
import { withMirror } from "./mirror.ts";

/** Creates a clone with HEAD as planned and no files checked out; returns its git folder. */
export async function makeClone(tools: Tools, home: string, { place, request, plan, marker }: Asked): Promise<string> {
  const { fs } = tools.host;
  const project = request.project.path;
  const building = buildingPath(place.path);
  if (plan.onto?.branch === request.branch) await claimBranch(tools, place, { request, plan });
  await fs.makeDir(dirname(building));
  await recordProject(fs, coverPath(home, place.path), place.commonDir);
  await withMirror(tools, home, {
    place,
    project,
    task: async (mirror) => {
      await fs.remove(building);
      await tools.git({
        cwd: dirname(building),
        args: [...CLONE, mirror, building],
        env: { AO_INTENT: request.intentId },
        discover: true,
      });
      const { hasOrigin } = await writeSettings(tools, join(building, ".git"), { commonDir: place.commonDir, project });
      const others = hasOrigin ? "+refs/remotes/*:refs/remotes/*" : "+refs/heads/*:refs/remotes/origin/*";
      await tools.git({ cwd: building, args: [...FETCH, mirror, others] });
    },
  });
  if (request.restore) await bringSaved(tools, request, { plan, building });
  await setHead(tools, request, { plan, building });
  await writeMarker(fs, join(building, ".git"), marker);
  await fs.rename(building, place.path);
  return join(place.path, ".git");
}
