import { join, relative } from "node:path";
import type { MachineConfig, ProjectConfig } from "../config/config.ts";
import { shortHash } from "../core/hash.ts";
import type { HeldRule, HeldSource } from "../core/held/held.ts";
import { CONFIGURATION_FILES, RULE_FILES } from "../core/held/rule-files.ts";
import { HOOK_POINTS, isFile } from "../core/hook/hook.ts";
import type { ProjectPolicy } from "../core/policy.ts";
import type { Host } from "../ports/host.ts";

type Configured = Pick<ProjectPolicy, "checks" | "reactions"> & {
  readonly config: ProjectConfig | undefined;
  readonly machine: MachineConfig | null;
};

type HeldFile = HeldRule["files"][number];
type HeldCommand = HeldRule["commands"][number];

const MAX_COMMANDS = 200;
const MAX_COMMAND = 4000;

/** What a person approves before it is merged into this project, as the configuration in force has it. */
export async function heldRuleOf(host: Host, path: string, configured: Configured): Promise<HeldRule> {
  const always = [
    ...CONFIGURATION_FILES.map((glob): HeldFile => ({ glob, source: { kind: "configuration" } })),
    ...RULE_FILES.map((glob): HeldFile => ({ glob, source: { kind: "rules" } })),
  ];
  const named = namedFiles(configured).map(({ file, source }) => ({ glob: insideOf(path, file), source }));
  const files = [...always, ...named.filter((one): one is HeldFile => one.glob !== null)];
  const commands = namedCommands(configured)
    .slice(0, MAX_COMMANDS)
    .map(({ run, source }) => ({ run: run.replaceAll(`${path}/`, "").slice(0, MAX_COMMAND), source }));
  const rule = { files: [...files, ...(await linkedFiles(host, path, files))], commands };
  return { key: shortHash(JSON.stringify(rule)), ...rule };
}

interface NamedFile {
  readonly file: string;
  readonly source: HeldSource;
}

function namedFiles({ config, machine }: Configured): readonly NamedFile[] {
  const modules = HOOK_POINTS.flatMap((point) =>
    (machine?.hooks[point] ?? []).flatMap((hook): readonly NamedFile[] =>
      "module" in hook && isFile(hook) ? [{ file: hook.module, source: key(`hooks.${point}`) }] : [],
    ),
  );
  const plugins = (machine?.plugins ?? []).flatMap(({ source }): readonly NamedFile[] =>
    source.kind === "path" ? [{ file: source.path, source: key("plugins") }] : [],
  );
  const rules = config?.agentRulesFile == null ? [] : [{ file: config.agentRulesFile, source: key("agentRulesFile") }];
  return [...modules, ...plugins, ...rules];
}

function namedCommands({ config, machine, checks, reactions }: Configured): readonly HeldCommand[] {
  const ofChecks = Object.entries(checks).flatMap(([name, { run, setup }]): readonly HeldCommand[] => {
    const source = { kind: "check", name } as const;
    // Without a set-up of its own, `ao` installs what the checkout's lockfile lists.
    return [
      { run, source },
      { run: setup ?? "npm ci", source },
    ];
  });
  const ofReactions = Object.entries(reactions).flatMap(([name, { run }]): readonly HeldCommand[] =>
    run == null ? [] : [{ run, source: key(`reactions.${name}.run`) }],
  );
  const ofHooks = HOOK_POINTS.flatMap((point) =>
    (machine?.hooks[point] ?? []).flatMap((hook): readonly HeldCommand[] =>
      "run" in hook ? [{ run: hook.run, source: key(`hooks.${point}`) }] : [],
    ),
  );
  return [
    ...ofChecks,
    ...(config?.postCreate ?? []).map((run): HeldCommand => ({ run, source: key("postCreate") })),
    ...(config?.preRemove ?? []).map((run): HeldCommand => ({ run, source: key("preRemove") })),
    ...ofReactions,
    ...ofHooks,
    ...agentCommand(config),
  ];
}

function agentCommand(config: ProjectConfig | undefined): readonly HeldCommand[] {
  const argv = config?.agent?.config["command"];
  if (!Array.isArray(argv)) return [];
  return [{ run: argv.filter((word) => typeof word === "string").join(" "), source: key("agentConfig.command") }];
}

function key(name: string): HeldSource {
  return { kind: "key", name };
}

/** A path within the repository, or null. */
function insideOf(path: string, file: string): string | null {
  const inside = relative(path, file);
  return inside === "" || inside.startsWith("..") || inside.startsWith("/") ? null : inside;
}

/** What a file at the repository's root is a link to: a change of that is read under the link's name, too. */
async function linkedFiles(host: Host, path: string, files: readonly HeldFile[]): Promise<readonly HeldFile[]> {
  const names = (await host.fs.list(path).catch(() => [])).slice(0, 2000);
  const own = (await host.fs.realPath(path)) ?? path;
  const candidates = files.flatMap(({ glob, source }) => {
    const name = glob.replace(/^\*\*\//, "").replace(/\/\*\*$/, "");
    return names.includes(name) ? [{ name, source, isFolder: glob.endsWith("/**") }] : [];
  });
  const targets = candidates.map(async ({ name, source, isFolder }): Promise<readonly HeldFile[]> => {
    const target = insideOf(own, (await host.fs.realPath(join(own, name)).catch(() => null)) ?? own);
    if (target === null || target === name) return [];
    return [{ glob: isFolder ? `${target}/**` : target, source }];
  });
  return (await Promise.all(targets)).flat();
}
