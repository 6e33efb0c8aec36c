import { join } from "node:path";
import type { Host } from "../../ports/host.ts";
import type { HomePaths } from "../../protocol/home.ts";
import type { PlaceRule } from "./bubblewrap.ts";

/** Where package managers keep what they download, by the variable that moves it. */
const CACHES: readonly (readonly [name: string, folder: string])[] = [
  ["npm_config_cache", "npm"],
  ["npm_config_store_dir", "pnpm"],
  ["YARN_CACHE_FOLDER", "yarn"],
  ["YARN_GLOBAL_FOLDER", "yarn-berry"],
  ["BUN_INSTALL_CACHE_DIR", "bun"],
  ["DENO_DIR", "deno"],
  ["PIP_CACHE_DIR", "pip"],
  ["PIPENV_CACHE_DIR", "pipenv"],
  ["POETRY_CACHE_DIR", "poetry"],
  ["UV_CACHE_DIR", "uv"],
  ["CARGO_HOME", "cargo"],
  ["GOMODCACHE", "go-mod"],
  ["GRADLE_USER_HOME", "gradle"],
  ["COMPOSER_CACHE_DIR", "composer"],
  ["BUNDLE_USER_CACHE", "bundler"],
  ["NUGET_PACKAGES", "nuget"],
  ["CYPRESS_CACHE_FOLDER", "cypress"],
  ["PUPPETEER_CACHE_DIR", "puppeteer"],
];

/** Maven has no variable for it; an option does the same. */
const MAVEN = { variable: "MAVEN_OPTS", folder: "maven", option: "-Dmaven.repo.local" };

export interface Caches {
  readonly rules: readonly PlaceRule[];
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Caches that only the sandboxed programs of one project share: no program outside reads what one of them wrote. A
 * variable that already names a folder that can be written there stays.
 */
export async function openCaches(
  { host, paths }: { readonly host: Host; readonly paths: HomePaths },
  projectId: string,
  {
    environment,
    writable,
  }: { readonly environment: Readonly<Record<string, string>>; readonly writable: readonly string[] },
): Promise<Caches> {
  const folder = join(paths.home, "caches", encodeURIComponent(projectId));
  const isOpen = (path = ""): boolean => writable.some((one) => `${path}/`.startsWith(`${one}/`));
  const moved = CACHES.filter(([name]) => !isOpen(environment[name]));
  const options = environment[MAVEN.variable] ?? "";
  const maven = options.includes(MAVEN.option) ? null : `${MAVEN.option}=${join(folder, MAVEN.folder)}`;
  for (const [, name] of [...CACHES, ["", MAVEN.folder] as const]) {
    await host.fs.makeDir(join(folder, name), { mode: 0o700 });
  }
  return {
    rules: [{ path: (await host.fs.realPath(folder)) ?? folder, as: "write" }],
    environment: {
      ...Object.fromEntries(moved.map(([name, of]) => [name, join(folder, of)])),
      ...(maven === null ? {} : { [MAVEN.variable]: `${options} ${maven}`.trim() }),
    },
  };
}
