import { basename, dirname } from "node:path";
import type { Host } from "../ports/host.ts";
import { adoptConfigs } from "./adopt-configs.ts";
import type { Kernel } from "./kernel.ts";

/** Editors write a file in several steps; changes within this time count as one. */
const SETTLE_MS = 200;

/** Applies changes of the YAML files as they are saved; reports an invalid file and keeps the last valid one. */
export function watchConfig(kernel: Kernel): () => void {
  const { host, engine } = kernel;
  let cancel = (): void => undefined;
  const settle = (): void => {
    cancel();
    cancel = host.clock.after(SETTLE_MS, () => {
      adoptConfigs(kernel)
        .then(() => (kernel.configs.isUnsettled() ? settle() : undefined))
        .catch((error: unknown) => host.log.warn("a changed configuration is not in force", { reason: String(error) }));
    });
  };
  const watch = createFileWatch(host, settle);
  const follow = (): void => watch.follow(filesInForce(kernel));
  follow();
  const unsubscribe = engine.subscribe((events) => {
    if (events.some(({ stream }) => stream.startsWith("project:"))) follow();
  });
  return () => {
    unsubscribe();
    cancel();
    watch.close();
  };
}

function filesInForce({ engine, paths }: Kernel): readonly string[] {
  const projects = [...engine.loop.world.view.projects()].filter((project) => !project.removed);
  return [paths.config, ...projects.flatMap(({ configFile }) => configFile ?? [])];
}

interface FileWatch {
  /** Watches these files, and what they link to, instead of the ones before. */
  follow(files: readonly string[]): void;
  close(): void;
}

function createFileWatch(host: Host, onChange: () => void): FileWatch {
  const watches = new Map<string, () => void>();
  let files: ReadonlySet<string> = new Set();
  let turn = 0;
  // Other files there change all the time, such as the database; they must not put off a changed configuration.
  const notice = (folder: string, name: string | null): void => {
    if (name === null || [...files].some((file) => dirname(file) === folder && basename(file) === name)) onChange();
  };
  const watch = (folder: string): (() => void) => host.fs.watch(folder, (name) => notice(folder, name));
  const use = (wanted: Iterable<string>): void => {
    files = new Set(wanted);
    const folders = new Set([...files].map((file) => dirname(file)));
    for (const folder of folders) if (!watches.has(folder)) watches.set(folder, watch(folder));
    for (const [folder, stop] of watches) {
      if (folders.has(folder)) continue;
      stop();
      watches.delete(folder);
    }
  };
  return {
    follow: (wanted) => {
      turn += 1;
      const own = turn;
      use([...files, ...wanted]);
      void findTargets(host, wanted).then((targets) => {
        if (own === turn) use([...wanted, ...targets]);
      });
    },
    close: () => {
      turn += 1;
      use([]);
    },
  };
}

// People edit the target of a link.
async function findTargets({ fs }: Host, files: readonly string[]): Promise<readonly string[]> {
  const find = async (file: string): Promise<readonly string[]> => {
    const target = (await fs.readLink(file)) === null ? null : await fs.realPath(file);
    return target === null ? [] : [target];
  };
  return (await Promise.all(files.map((file) => find(file).catch(() => [])))).flat();
}
