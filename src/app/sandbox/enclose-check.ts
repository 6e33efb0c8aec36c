import { dirname, join } from "node:path";
import { AoError } from "../../core/errors.ts";
import type { EnclosedCommand } from "../../engine/executor.ts";
import type { Host } from "../../ports/host.ts";
import type { HomePaths } from "../../protocol/home.ts";
import { findCommonDir } from "../../providers/git/repository.ts";
import type { PlaceRule } from "./bubblewrap.ts";
import { openCaches } from "./caches.ts";
import { encloseProgram, existing } from "./enclose-program.ts";
import { findBubblewrapProblem } from "./preflight.ts";
import { COPIED_SETTINGS, toolchainPaths, withoutSecrets } from "./toolchains.ts";

/** What the daemon knows beside the command itself. */
interface Surroundings {
  readonly host: Host;
  readonly paths: HomePaths;
  readonly projectPath: string;
}

const MAX_SETTINGS_BYTES = 64 * 1024;
/** Variables that lead to agents, buses and files of the user, none of which a check sees. */
const UNSET = ["SSH_AUTH_SOCK", "GNUPGHOME", "GPG_TTY", "DBUS_SESSION_BUS_ADDRESS", "XAUTHORITY", "DISPLAY"];
/** Variables of the daemon that name files with credentials outside the home folder. */
const CREDENTIALS = [
  ...["AWS_SHARED_CREDENTIALS_FILE", "AWS_CONFIG_FILE", "GOOGLE_APPLICATION_CREDENTIALS", "CLOUDSDK_CONFIG"],
  ...["AZURE_CONFIG_DIR", "KUBECONFIG", "DOCKER_CONFIG", "GNUPGHOME", "GH_CONFIG_DIR", "NETRC", "CLAUDE_CONFIG_DIR"],
  ...[
    "CODEX_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "NPM_CONFIG_USERCONFIG",
    "npm_config_userconfig",
    "XDG_STATE_HOME",
  ],
];

/**
 * The arguments of a check's command, after those of its sandbox. It gets its checkout, a home and a temporary folder of
 * its own, the caches of the project's sandboxes, and the machine's programs. Nothing of AO_HOME, of the user's home or
 * of the main checkout is there, so it has no secret that it could send or print.
 */
export async function encloseCheck(
  { projectId, sandbox, environment, stage, argv, runDir, tree, scratch }: EnclosedCommand,
  { host, paths, projectPath }: Surroundings,
): Promise<readonly string[]> {
  const problem = await findBubblewrapProblem(host, environment);
  if (problem !== null) throw new AoError(problem);
  const homes = await existing(host, [environment["HOME"] ?? "", host.env["HOME"] ?? ""]);
  const asked = sandbox.writable.map((path) => path.replace(/^~(?=\/|$)/, environment["HOME"] ?? ""));
  const writable = await existing(host, asked);
  const [checkout = tree] = await existing(host, [tree]);
  const caches = await openCaches({ host, paths }, projectId, {
    environment,
    writable: ["/tmp", "/var/tmp", checkout, ...writable],
  });
  const covers = await coverRules({ host, paths, projectPath }, { homes, scratch, environment });
  const rules: readonly PlaceRule[] = [
    ...covers,
    ...(await shownRules({ host, projectPath }, { environment, homes, covers })),
    ...caches.rules,
    { path: checkout, as: "write" },
    ...writable.map((path): PlaceRule => ({ path, as: "write" })),
  ];
  const own = { ...caches.environment, TMPDIR: "/tmp" };
  return encloseProgram(
    host,
    { argv, runDir },
    {
      rules,
      network: stage === "set-up" ? sandbox.setUpNetwork : sandbox.network,
      cwd: checkout,
      environment: own,
      unset: UNSET,
    },
  );
}

interface Cover {
  readonly homes: readonly string[];
  readonly scratch: string;
  readonly environment: Readonly<Record<string, string>>;
}

async function coverRules(
  { host, paths, projectPath }: Surroundings,
  { homes, scratch, environment }: Cover,
): Promise<readonly PlaceRule[]> {
  const at = (name: string): string => join(scratch, name);
  for (const name of ["home", "tmp", "other"]) await host.fs.makeDir(at(name), { mode: 0o700 });
  await copySettings(host, homes[0], at("home"));
  const files = CREDENTIALS.map((name) => host.env[name] ?? "").filter((path) => path.startsWith("/"));
  const kept = (await existing(host, files)).filter(
    (path) => !homes.some((home) => home === path || home.startsWith(`${path}/`)),
  );
  const kinds = await Promise.all(kept.map((path) => host.fs.stat(path)));
  const hidden = [paths.home, paths.socketFolder ?? "", environment["XDG_RUNTIME_DIR"] ?? "", projectPath];
  return [
    ...(await existing(host, ["/tmp", "/var/tmp"])).map((path): PlaceRule => ({ path, as: "write", from: at("tmp") })),
    ...homes
      .filter((home) => home !== "/")
      .map((path, index): PlaceRule => ({ path, as: "write", from: at(index === 0 ? "home" : "other") })),
    ...(await existing(host, hidden)).map((path): PlaceRule => ({ path, as: "hidden" })),
    ...kept.map(
      (path, index): PlaceRule =>
        kinds[index]?.kind === "directory" ? { path, as: "hidden" } : { path, as: "read", from: "/dev/null" },
    ),
  ];
}

// Copies, so that a check cannot change the real ones, and without what is secret in them.
async function copySettings(host: Host, home: string | undefined, to: string): Promise<void> {
  if (home === undefined) return;
  for (const name of COPIED_SETTINGS) {
    if ((await host.fs.stat(join(to, name))) !== null) continue;
    const bytes = await host.fs.readBytes(join(home, name), 0, MAX_SETTINGS_BYTES).catch(() => null);
    if (bytes === null) continue;
    await host.fs.makeDir(dirname(join(to, name)), { mode: 0o700 });
    await host.fs.writeText(join(to, name), withoutSecrets(new TextDecoder().decode(bytes)), { mode: 0o600 });
  }
}

// The checkout borrows the project's objects; programs may be in a home or a temporary folder.
async function shownRules(
  { host, projectPath }: Pick<Surroundings, "host" | "projectPath">,
  { environment, homes, covers }: Omit<Cover, "scratch"> & { readonly covers: readonly PlaceRule[] },
): Promise<readonly PlaceRule[]> {
  const objects = join(await findCommonDir(host.fs, projectPath), "objects");
  const borrowed = ((await host.fs.readText(join(objects, "info/alternates"))) ?? "").split("\n");
  const shown = await existing(host, [
    ...[objects, ...borrowed.filter((path) => path.startsWith("/"))],
    ...[join(host.assets.holder, "../../.."), host.assets.gate.program],
    ...toolchainPaths(environment, homes),
  ]);
  const isCovered = (path: string): boolean => covers.some((cover) => path.startsWith(`${cover.path}/`));
  return shown.filter(isCovered).map((path): PlaceRule => ({ path, as: "read" }));
}
