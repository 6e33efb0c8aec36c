/** How dependencies are installed, by the files at a project's root; the first match. */
const SET_UPS: readonly { readonly files: readonly string[]; readonly command: string }[] = [
  { files: ["package-lock.json"], command: "npm ci" },
  { files: ["npm-shrinkwrap.json"], command: "npm ci" },
  { files: ["pnpm-lock.yaml"], command: "pnpm install --frozen-lockfile" },
  { files: ["yarn.lock", ".yarnrc.yml"], command: "yarn install --immutable" },
  { files: ["yarn.lock"], command: "yarn install --frozen-lockfile" },
];

/** Files that determine the result of an installation, by name, in any folder. */
const DECIDING =
  /^(?:package\.json|package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|pnpm-workspace\.yaml|\.pnpmfile\.cjs|yarn\.lock|\.yarnrc(?:\.yml)?|\.npmrc|bun\.lockb?|requirements[^/]*\.txt|pyproject\.toml|setup\.(?:py|cfg)|poetry\.lock|uv\.lock|Pipfile(?:\.lock)?|Gemfile(?:\.lock)?|composer\.(?:json|lock)|go\.(?:mod|sum)|Cargo\.(?:toml|lock)|\.tool-versions|\.nvmrc|\.node-version|\.python-version)$/;

/** Commands that install what lockfiles list, and nothing else. */
const INSTALL =
  /^(?:(?:npm (?:ci|install|i)|pnpm (?:install|i)|yarn(?: install)?|bun install|bundle install|composer install)(?: --?[\w-]+(?:=[\w./-]+)?)*)$/;

/** Scripts that package managers run during an installation, except those that only set up git hooks. */
const ALONG = /"(?:preinstall|install|postinstall|prepublish|preprepare|prepare|postprepare)"\s*:\s*"([^"]*)"?/;
const GIT_HOOKS =
  /^(?:is-ci \|\| )?(?:husky(?: install)?|lefthook install|simple-git-hooks)(?: \|\| (?:true|exit 0))?$/;

/** The command that prepares a checkout with these files at its root; null: none needed. */
export function detectSetUp(names: readonly string[], packageJson: string | null): string | null {
  const found = SET_UPS.find(({ files }) => files.every((file) => names.includes(file)));
  if (found !== undefined && names.includes("package.json")) return found.command;
  return hasDependencies(packageJson) ? "npm install --no-audit --no-fund" : null;
}

function hasDependencies(packageJson: string | null): boolean {
  try {
    const parsed: unknown = JSON.parse(packageJson ?? "{}");
    const { dependencies, devDependencies, optionalDependencies } = Object(parsed) as Record<string, unknown>;
    const all = [dependencies, devDependencies, optionalDependencies];
    return all.some((one) => Object.keys(Object(one)).length > 0);
  } catch {
    // npm could not read it either.
    return false;
  }
}

/** Does this file specify the exact versions of an installation? */
export function isLockfile(path: string): boolean {
  return /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|[^/]*\.lockb?|pnpm-lock\.yaml|go\.sum)$/.test(path);
}

/** Does this file determine the result of an installation? */
export function isDeciding(path: string): boolean {
  return DECIDING.test(path.slice(path.lastIndexOf("/") + 1));
}

/**
 * Does a set-up give the same result for the same lockfiles, whatever the other files? Not if it builds something, by
 * its own command or by an install script.
 */
export function isPureInstall(command: string, scriptLines: readonly string[]): boolean {
  const builds = scriptLines
    .map((line) => ALONG.exec(line)?.[1])
    .some((script) => script === undefined || !GIT_HOOKS.test(script));
  return !builds && command.split("&&").every((part) => INSTALL.test(part.trim()));
}
