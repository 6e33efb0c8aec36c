import { join } from "node:path";
import { quote } from "../cover.ts";
import type { Tools } from "../tools.ts";

/**
 * Gives a clone the project's settings by including its configuration, so that identity, filters, remotes and the rest
 * mean the same as in a worktree, while an agent's own settings stay in the clone. `project` is the project itself, and
 * so is `origin` if the project has none.
 */
export async function writeSettings(
  tools: Tools,
  gitDir: string,
  { commonDir, project }: { readonly commonDir: string; readonly project: string },
): Promise<{ readonly hasOrigin: boolean }> {
  const { fs } = tools.host;
  const asked = await tools.git({ cwd: project, args: ["config", "--get", "remote.origin.url"], okCodes: [0, 1] });
  const hasOrigin = asked.code === 0;
  const file = join(gitDir, "config");
  const text = (await fs.readText(file)) ?? "";
  // Keeps what git wrote about the repository itself; the rest is about the mirror.
  const own = text.split(/^(?=\[)/m).filter((section) => !/^\[(remote|branch) /.test(section));
  const sections = [
    `[include]\n\tpath = ${quote(join(commonDir, "config"))}\n`,
    ...own,
    // Large files go directly to the project's store: they are named by their content, and outlive the clone there.
    `[lfs]\n\tstorage = ${quote(join(commonDir, "lfs"))}\n`,
    remote("project", project),
    hasOrigin ? "" : remote("origin", project),
  ];
  await fs.writeText(file, sections.join(""));
  // What the user hides from git only in this repository is hidden in the clone too.
  const hidden = await fs.readText(join(commonDir, "info", "exclude"));
  await fs.makeDir(join(gitDir, "info"));
  if (hidden !== null) await fs.writeText(join(gitDir, "info", "exclude"), hidden);
  return { hasOrigin };
}

function remote(name: string, path: string): string {
  return `[remote "${name}"]\n\turl = ${quote(path)}\n\tfetch = +refs/heads/*:refs/remotes/${name}/*\n`;
}
