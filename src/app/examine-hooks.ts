import { dirname, join } from "node:path";
import { HOOK_POINTS, type HookPoint, type Hooks, isFile, type ModuleRef } from "../core/hook/hook.ts";
import type { Host } from "../ports/host.ts";
import type { FindingView } from "../protocol/views/daemon.ts";

/** Hooks in code whose module is missing. Whether it has the right function is known only once it runs. */
export async function examineHooks(host: Pick<Host, "fs">, hooks: Hooks): Promise<readonly FindingView[]> {
  const modules = HOOK_POINTS.flatMap((point) =>
    (hooks[point] ?? []).flatMap((hook) => ("run" in hook ? [] : [{ point, hook }])),
  );
  const found = await Promise.all(modules.map(({ point, hook }) => examineModule(host, point, hook)));
  return found.flat();
}

async function examineModule(
  { fs }: Pick<Host, "fs">,
  point: HookPoint,
  ref: ModuleRef,
): Promise<readonly FindingView[]> {
  const { module, from } = ref;
  const name = `hook ${point}`;
  if (isFile(ref)) {
    if ((await fs.stat(module)) !== null) return [];
    const fix = `Create the file, or correct \`hooks.${point}\` in the configuration.`;
    return [{ name, state: "warn", text: `${module} does not exist`, fix }];
  }
  for (let folder = from; ; folder = dirname(folder)) {
    if ((await fs.stat(join(folder, "node_modules", packageOf(module)))) !== null) return [];
    if (folder === dirname(folder)) break;
  }
  const isNear = (await fs.stat(join(from, module))) !== null;
  const fix = isNear ? `Write ./${module} for the file.` : `Run \`npm install ${packageOf(module)}\` in ${from}.`;
  return [{ name, state: "warn", text: `the package ${packageOf(module)} is not installed in ${from} or above`, fix }];
}

/** The package without the path to a file in it. */
function packageOf(module: string): string {
  const parts = module.split("/");
  return parts.slice(0, module.startsWith("@") ? 2 : 1).join("/");
}
