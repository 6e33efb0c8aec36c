/** What every shell has: paths, the user, the terminal's settings. */
const SHELL = [
  ...[
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "HOSTNAME",
    "LANG",
    "LANGUAGE",
    "TZ",
    "TERM",
    "TERMINFO",
    "COLORTERM",
  ],
  ...["TMPDIR", "TMP", "TEMP", "EDITOR", "VISUAL", "PAGER", "LESS", "NO_COLOR", "FORCE_COLOR", "CLICOLOR", "DISPLAY"],
  ...["WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "MANPATH", "INFOPATH", "WSL_DISTRO_NAME"],
  ...["SSH_AUTH_SOCK", "GNUPGHOME", "GPG_TTY"],
];

/** How this machine reaches the network. */
const NETWORK = [
  ...["http_proxy", "https_proxy", "all_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"],
  ...["SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "AWS_CA_BUNDLE"],
  ...["PIP_CERT", "NODE_USE_SYSTEM_CA"],
];

/** Where toolchains keep their programs, versions and caches. */
const TOOLCHAINS = [
  ...["NVM_DIR", "NVM_BIN", "NVM_INC", "FNM_DIR", "FNM_MULTISHELL_PATH", "VOLTA_HOME", "BUN_INSTALL", "DENO_DIR"],
  ...["DENO_INSTALL", "PNPM_HOME", "COREPACK_HOME", "YARN_CACHE_FOLDER", "npm_config_cache", "npm_config_prefix"],
  ...["JAVA_HOME", "JDK_HOME", "MAVEN_HOME", "M2_HOME", "GRADLE_HOME", "GRADLE_USER_HOME", "SDKMAN_DIR", "KOTLIN_HOME"],
  ...["GOPATH", "GOROOT", "GOBIN", "GOCACHE", "GOMODCACHE", "GOFLAGS", "GOTOOLCHAIN", "CARGO_HOME", "RUSTUP_HOME"],
  ...["RUSTUP_TOOLCHAIN", "RUSTFLAGS", "PYENV_ROOT", "PYENV_VERSION", "PYTHONPATH", "VIRTUAL_ENV", "CONDA_PREFIX"],
  ...[
    "CONDA_DEFAULT_ENV",
    "POETRY_HOME",
    "PIPX_HOME",
    "UV_CACHE_DIR",
    "RBENV_ROOT",
    "GEM_HOME",
    "GEM_PATH",
    "BUNDLE_PATH",
  ],
  ...["ASDF_DIR", "ASDF_DATA_DIR", "MISE_DATA_DIR", "MISE_SHELL", "ANDROID_HOME", "ANDROID_SDK_ROOT", "DOTNET_ROOT"],
  ...["NIX_PATH", "NIX_PROFILES", "NIX_SSL_CERT_FILE", "LOCALE_ARCHIVE", "HOMEBREW_PREFIX", "HOMEBREW_CELLAR"],
  ...[
    "HOMEBREW_REPOSITORY",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "PKG_CONFIG_PATH",
    "CC",
    "CXX",
    "CFLAGS",
    "CXXFLAGS",
  ],
  ...["LDFLAGS", "MAKEFLAGS", "CMAKE_PREFIX_PATH", "CCACHE_DIR", "PLAYWRIGHT_BROWSERS_PATH", "CI"],
];

/** Git settings that a person may have made, none of which redirects it to another repository. */
const GIT = [
  ...["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CEILING_DIRECTORIES", "GIT_EXEC_PATH"],
  ...["GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "EMAIL"],
  ...["GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH"],
];

const GROUPS: readonly (readonly [string, ReadonlySet<string>])[] = [
  ["shell", new Set(SHELL)],
  ["network", new Set(NETWORK)],
  ["toolchain", new Set(TOOLCHAINS)],
  ["git", new Set(GIT)],
];
const PREFIXES: readonly (readonly [string, string])[] = [
  ["LC_", "shell"],
  ["XDG_", "shell"],
];

/** Why a program that `ao` starts gets this variable of the daemon's environment; null: it does not. */
export function reasonToPass(name: string, value: string): string | null {
  if (hasPassword(value)) return null;
  const group = GROUPS.find(([, names]) => names.has(name))?.[0];
  return group ?? PREFIXES.find(([prefix]) => name.startsWith(prefix))?.[1] ?? null;
}

/** The part of an environment that every program started by `ao` gets. */
export function pickEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const picked: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && reasonToPass(name, value) !== null) picked[name] = value;
  }
  return picked;
}

/** Does a URL, such as a proxy's, contain a password? */
export function hasPassword(value: string): boolean {
  return /:\/\/[^/\s@]*:[^/\s@]*@/.test(value);
}
