import type { SandboxNetwork } from "../../core/sandbox.ts";

/** What a program in the sandbox finds at a path, and below it unless another rule says otherwise. */
export interface PlaceRule {
  readonly path: string;
  readonly as: "read" | "write" | "hidden" | "link";
  /** What is mounted there, or the target of a link; default: the path itself. */
  readonly from?: string;
}

export interface Box {
  readonly rules: readonly PlaceRule[];
  readonly network: SandboxNetwork;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly unset?: readonly string[];
  /** Where bubblewrap writes the program's pid before starting it. */
  readonly told: string;
}

const SIGNALS = "INT,QUIT,TERM,HUP";
const TOLD_FD = "9";

/** Sockets in /run reach services that act outside for any caller; these are programs. */
const RUN_NEEDED = ["/run/current-system", "/run/wrappers"];
/** Used for name resolution. A lookup leaves the machine, so a sandbox without network access gets none of them. */
const RUN_NAMES = ["/run/systemd/resolve", "/run/NetworkManager", "/run/resolvconf", "/run/nscd"];

// Bubblewrap leaves some of these open to root: machine-wide switches, with or without capabilities.
const PROC_SWITCHES = ["/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus"];

/**
 * The arguments before a program's own that run it under bubblewrap: the whole file system is readable, and the rules
 * list the exceptions. The deeper rule wins, whatever the order.
 *
 * - bubblewrap stays as the program's parent and forwards no signals. So it ignores those meant for the program, which
 *   gets them as usual; and it dies only with the program, or takes the program with it (--die-with-parent). Its own
 *   parent is the holder or the terminal's wrapper, never the daemon.
 * - Outside processes can be neither seen nor signaled. When the first process inside ends, the kernel ends all others;
 *   `ao` itself sees them from outside, by their environment.
 * - No session of its own: the program must keep its terminal. Keys that it pushes into that terminal (TIOCSTI) are
 *   read only by itself.
 */
export function composeBubblewrap(box: Box): readonly string[] {
  return [
    ...["sh", "-c", `exec "$@" ${TOLD_FD}>"$0"`, box.told],
    ...["env", `--ignore-signal=${SIGNALS}`],
    ...[
      "bwrap",
      "--unshare-user",
      "--unshare-ipc",
      "--unshare-pid",
      ...(box.network === "all" ? [] : ["--unshare-net"]),
    ],
    ...["--cap-drop", "ALL", "--die-with-parent", "--info-fd", TOLD_FD],
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    ...PROC_SWITCHES.flatMap((path) => ["--ro-bind-try", path, path]),
    ...["--tmpfs", "/run", ...shownInRun(box.network).flatMap((path) => ["--ro-bind-try", path, path])],
    ...order(box.rules).flatMap(composeRule),
    ...(box.unset ?? []).flatMap((name) => ["--unsetenv", name]),
    ...Object.entries(box.environment).flatMap(([name, value]) => ["--setenv", name, value]),
    ...["--chdir", box.cwd, "--", "env", `--default-signal=${SIGNALS}`],
  ];
}

/** The smallest command that uses everything a sandbox needs, to find out whether it works here. */
export const BUBBLEWRAP_TRIAL: readonly string[] = [
  ...["env", `--ignore-signal=${SIGNALS}`],
  ...[
    "bwrap",
    "--unshare-user",
    "--unshare-ipc",
    "--unshare-pid",
    "--unshare-net",
    "--cap-drop",
    "ALL",
    "--ro-bind",
    "/",
    "/",
  ],
  ...["--dev", "/dev", "--proc", "/proc", "--tmpfs", "/run", "--", "true"],
];

function shownInRun(network: SandboxNetwork): readonly string[] {
  return network === "all" ? [...RUN_NEEDED, ...RUN_NAMES] : RUN_NEEDED;
}

// Parents before children: a later mount covers an earlier one. At the same path the stricter rule comes last, and
// wins.
function order(rules: readonly PlaceRule[]): readonly PlaceRule[] {
  const strictness = { write: 0, read: 1, hidden: 2, link: 3 };
  return [...rules].sort((a, b) => depth(a.path) - depth(b.path) || strictness[a.as] - strictness[b.as]);
}

function depth(path: string): number {
  return path.split("/").filter((part) => part !== "").length;
}

function composeRule({ path, as, from = path }: PlaceRule): readonly string[] {
  if (as === "hidden") return ["--tmpfs", path];
  if (as === "link") return ["--symlink", from, path];
  return [as === "write" ? "--bind" : "--ro-bind", from, path];
}
