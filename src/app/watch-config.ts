import { dirname } from "node:path";
import { adoptConfigs } from "./adopt-configs.ts";
import type { Kernel } from "./kernel.ts";

/** Editors write a file in several steps; changes within this time count as one. */
const SETTLE_MS = 200;

/** Applies changes of the YAML files as they are saved; reports an invalid file and keeps the last valid one. */
export function watchConfig(kernel: Kernel): () => void {
  const { host, engine } = kernel;
  const world = engine.loop.world.view;
  const watches = new Map<string, () => void>();
  let cancel = (): void => undefined;

  const follow = (): void => {
    const files = [...world.projects()].filter((project) => !project.removed).map((project) => project.configFile);
    const folders = new Set([kernel.paths.home, ...files.flatMap((file) => (file === null ? [] : [dirname(file)]))]);
    for (const folder of folders) if (!watches.has(folder)) watches.set(folder, host.fs.watch(folder, settle));
    for (const [folder, stop] of watches) {
      if (folders.has(folder)) continue;
      stop();
      watches.delete(folder);
    }
  };

  const settle = (): void => {
    cancel();
    cancel = host.clock.after(SETTLE_MS, () => {
      adoptConfigs(kernel).catch((error: unknown) =>
        host.log.warn("a changed configuration is not in force", { reason: String(error) }),
      );
    });
  };

  follow();
  const unsubscribe = engine.subscribe((events) => {
    if (events.some(({ stream }) => stream.startsWith("project:"))) follow();
  });
  return () => {
    unsubscribe();
    cancel();
    for (const stop of watches.values()) stop();
  };
}
