import { spawn } from "node:child_process";
import { hostname, userInfo } from "node:os";

type Environment = Readonly<Record<string, string | undefined>>;

/** Can a browser open where the user sits? */
export function hasDisplay(env: Environment, platform: string): boolean {
  if (platform === "darwin") return (env["SSH_CONNECTION"] ?? "") === "";
  return (env["DISPLAY"] ?? "") !== "" || (env["WAYLAND_DISPLAY"] ?? "") !== "";
}

/** Should the dashboard open automatically? Only if someone sits at this terminal and can see it. */
export function opensByItself(env: Environment, platform: string, isTerminal: boolean): boolean {
  return isTerminal && (env["CI"] ?? "") === "" && hasDisplay(env, platform);
}

/** A program that finds no browser exits at once; one that is still running after this time has found one. */
const OPEN_LIMIT_MS = 1500;

/** Opens a URL in the user's browser; false: there is no program for it, or it found no browser. */
export function openInBrowser(url: string): Promise<boolean> {
  const program = process.platform === "darwin" ? "open" : "xdg-open";
  return new Promise((resolve) => {
    const child = spawn(program, [url], { detached: true, stdio: "ignore" });
    const finish = (isOpen: boolean): void => {
      clearTimeout(timer);
      child.unref();
      resolve(isOpen);
    };
    const timer = setTimeout(() => finish(true), OPEN_LIMIT_MS);
    child.once("error", () => finish(false));
    child.once("exit", (code) => finish(code === 0));
  });
}

/** How to reach the dashboard from another machine. */
export function tunnelHint(url: string): string {
  const { port } = new URL(url);
  return `To open it from another machine: ssh -L ${port}:localhost:${port} ${userName()}@${hostname()}`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "USER";
  }
}
