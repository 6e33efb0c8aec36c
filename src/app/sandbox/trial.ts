export interface SandboxProblem {
  readonly code: "program-missing" | "unsupported";
  readonly message: string;
  readonly hint: string;
}

/** The result of a bubblewrap trial, in the C locale. */
export interface Trial {
  readonly code: number;
  readonly stderr: string;
}

/** Rejects systems without bubblewrap before anything is tried. */
export function judgePlatform(platform: string): SandboxProblem | null {
  if (platform === "linux") return null;
  return {
    code: "unsupported",
    message: `bubblewrap is only available on Linux, so \`sandbox: bubblewrap\` does not work on ${platform === "darwin" ? "macOS" : platform}.`,
    hint: "Set `sandbox: none`, or run ao in a Linux machine or container.",
  };
}

/** Why bubblewrap does not work here, with the fix; null: it works. */
export function judgeTrial({ code, stderr }: Trial): SandboxProblem | null {
  if (code === 0) return null;
  if (/bwrap.*No such file/.test(stderr)) {
    return {
      code: "program-missing",
      message: "bubblewrap is not installed, and `sandbox: bubblewrap` needs it.",
      hint: "Install it: `apt install bubblewrap`, or the same with your package manager.",
    };
  }
  if (/ignore-signal/.test(stderr)) {
    return {
      code: "unsupported",
      message: "The `env` program of this machine is too old or too limited for `sandbox: bubblewrap`.",
      hint: "Install GNU coreutils 8.31 or newer.",
    };
  }
  return {
    code: "unsupported",
    message: `bubblewrap does not work here: ${stderr.trim().split("\n").at(-1) || `exit code ${code}`}`,
    hint: "User namespaces may be off: `sysctl kernel.unprivileged_userns_clone=1`, on Ubuntu `sysctl kernel.apparmor_restrict_unprivileged_userns=0`; a container must be allowed to make them.",
  };
}
