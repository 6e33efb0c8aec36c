import { dirname } from "node:path";

/**
 * Below the home folder: programs and versions that toolchains installed there. None of them holds credentials; what does
 * (`~/.cargo`, `~/.config`) is listed by the parts that do not.
 */
const FOLDERS: readonly string[] = [
  ...["bin", "n", ".n", ".nvm", ".fnm", ".volta", ".nodenv", ".bun", ".deno", ".yarn/bin", ".local/bin", ".local/lib"],
  ...[".local/share/fnm", ".local/share/mise", ".local/share/pnpm", ".local/share/uv", ".local/share/pipx"],
  ...[".local/share/pypoetry", ".local/pipx", ".local/state/nix", ".local/opt", ".asdf", ".pyenv", ".rye", ".poetry"],
  ...["miniconda3", "anaconda3", "miniforge3", "mambaforge", ".rbenv", ".rvm", ".goenv", "go/bin", "sdk", ".rustup"],
  ...[".cargo/bin", ".cargo/env", ".sdkman", ".jenv", ".jdks", ".dotnet", ".ghcup", ".opam", ".juliaup", ".swiftly"],
  ...[".nix-profile", ".linuxbrew", "Android/Sdk", ".cache/ms-playwright", ".cache/puppeteer", ".cache/Cypress"],
  ...[".cache/node/corepack", ".elan", ".foundry/bin", ".local/zig", ".pub-cache/bin", "flutter"],
];

/** Variables that name such a folder wherever it is. */
const VARIABLES: readonly string[] = [
  ...["NVM_DIR", "FNM_DIR", "FNM_MULTISHELL_PATH", "VOLTA_HOME", "BUN_INSTALL", "DENO_INSTALL", "PNPM_HOME"],
  ...["COREPACK_HOME", "JAVA_HOME", "JDK_HOME", "MAVEN_HOME", "M2_HOME", "GRADLE_HOME", "SDKMAN_DIR", "KOTLIN_HOME"],
  ...["GOROOT", "GOBIN", "RUSTUP_HOME", "PYENV_ROOT", "VIRTUAL_ENV", "CONDA_PREFIX", "POETRY_HOME", "PIPX_HOME"],
  ...["RBENV_ROOT", "GEM_HOME", "ASDF_DIR", "ASDF_DATA_DIR", "MISE_DATA_DIR", "ANDROID_HOME", "ANDROID_SDK_ROOT"],
  ...["DOTNET_ROOT", "HOMEBREW_PREFIX", "PLAYWRIGHT_BROWSERS_PATH"],
];

/** Folders that hold programs beside things that nobody else may read. */
const MIXED: readonly string[] = ["", ".local", ".cargo", ".config", ".cache", ".local/share"];

/** Settings of package managers and git that checks need; lines with secrets are left out of the copies. */
export const COPIED_SETTINGS: readonly string[] = [
  ...[".gitconfig", ".config/git/config", ".config/git/ignore", ".npmrc", ".yarnrc", ".config/pip/pip.conf"],
  ...[
    ".pip/pip.conf",
    ".config/uv/uv.toml",
    ".condarc",
    ".gemrc",
    ".bundle/config",
    ".config/go/env",
    ".tool-versions",
  ],
  ...[".config/mise/config.toml", ".cargo/config.toml"],
];

/** A line that may hold a secret: a name that says so, or an address with a password. */
const SECRET_LINE = /token|passw|secret|auth|credential|api[-_]?key|extraheader|helper|\/\/[^\s/]*@/i;

/** The settings without the lines that may hold a secret. */
export function withoutSecrets(text: string): string {
  return text
    .split("\n")
    .filter((line) => !SECRET_LINE.test(line))
    .join("\n");
}

/** Where a person's programs are, as far as a check may see it: paths that may not exist. */
export function toolchainPaths(
  environment: Readonly<Record<string, string>>,
  homes: readonly string[],
): readonly string[] {
  const onPath = (environment["PATH"] ?? "").split(":").filter((path) => path.startsWith("/"));
  const named = VARIABLES.flatMap((name) => environment[name] ?? []).filter((path) => path.startsWith("/"));
  const isMixed = (path: string): boolean =>
    homes.some((home) => MIXED.some((one) => path === (one === "" ? home : `${home}/${one}`)) || isAbove(path, home));
  return [
    ...homes.flatMap((home) => FOLDERS.map((folder) => `${home}/${folder}`)),
    // A program in a `bin` folder needs what is beside that.
    ...onPath.map((path) => (path.endsWith("/bin") && !isMixed(dirname(path)) ? dirname(path) : path)),
    ...named,
  ].filter((path) => !isMixed(path));
}

function isAbove(path: string, home: string): boolean {
  return path === "/" || home.startsWith(`${path}/`);
}
