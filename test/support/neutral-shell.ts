import { existsSync, mkdtempSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { reasonToPass } from "../../src/core/environment.ts";
import { removeFolder } from "../../src/testing/temp.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Marks an environment that is neutral already. */
const MARK = "AO_TEST_NEUTRAL";
/** What the person who runs the tests chose for them, and what vitest tells its workers. */
const OWN =
  /^(AO_TEST_\w+|AO_DISK_TMPDIR|AO_CHROMIUM|AO_RECORD|AO_FUZZ_REPORT|VITEST\w*|TMPDIR|USER|LOGNAME|npm_config_\w+)$/i;
/** How this machine finds its programs and its network. */
const GROUPS: readonly (string | null)[] = ["toolchain", "network"];

let home: string | null = null;

/**
 * Before the first worker starts: the same variables, home and umask for all tests, whatever the shell has. Terminal, language, time
 * zone, git configuration, tokens and a session of `ao` around the tests are no matter of a test; one that is about them sets them.
 */
export function setup(): void {
  // Each project of vitest.config.ts calls this once.
  if (process.env[MARK] === "1") return;
  home = mkdtempSync(join(tmpdir(), "ao-test-home-"));
  const neutral = neutralEnvironment(process.env, { home, userHome: homedir() });
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, neutral);
  process.umask(0o022);
}

/** After the last test. */
export function teardown(): void {
  if (home !== null) removeFolder(home);
  home = null;
}

/** The environment of every test, from that of the shell. */
export function neutralEnvironment(
  env: Environment,
  place: { readonly home: string; readonly userHome: string },
): Record<string, string> {
  const kept = Object.entries(env).filter(([name, value]) => value !== undefined && isKept(name, value));
  const npmrc = join(place.userHome, ".npmrc");
  return {
    // Installed packages and programs stay where the person has them.
    npm_config_cache: join(place.userHome, ".npm"),
    npm_config_update_notifier: "false",
    ...(existsSync(npmrc) ? { npm_config_userconfig: npmrc } : {}),
    AO_TEST_AGENTS: join(place.userHome, ".cache/ao-test-agents"),
    ...(Object.fromEntries(kept) as Record<string, string>),
    // A version manager's `node` may find its version only with the person's home.
    PATH: [dirname(process.execPath), env["PATH"] ?? ""].join(delimiter),
    HOME: place.home,
    SHELL: "/bin/sh",
    LANG: "C.UTF-8",
    TZ: "UTC",
    TERM: "xterm-256color",
    NODE_ENV: "test",
    // The servers of tests are on this machine, even if all others are behind a proxy.
    NO_PROXY: withLoopback(env["NO_PROXY"]),
    no_proxy: withLoopback(env["no_proxy"] ?? env["NO_PROXY"]),
    [MARK]: "1",
  };
}

function isKept(name: string, value: string | undefined): boolean {
  if (name === "CI") return false;
  return OWN.test(name) || GROUPS.includes(reasonToPass(name, value ?? "")) || /^(https?|all)_proxy$/i.test(name);
}

function withLoopback(list: string | undefined): string {
  return ["localhost", "127.0.0.1", "::1", ...(list ?? "").split(",").filter((host) => host !== "")].join(",");
}
