import { spawn } from "node:child_process";
import { hostname, userInfo } from "node:os";

type Environment = Readonly<Record<string, string | undefined>>;

/** Could a browser show up where the user sits? */
export function hasDisplay(env: Environment, platform: string): boolean {
  if (platform === "darwin") return (env["SSH_CONNECTION"] ?? "") === "";
  return (env["DISPLAY"] ?? "") !== "" || (env["WAYLAND_DISPLAY"] ?? "") !== "";
}

/** Opens an address in the user's browser; false: there is no program for it. */
export function openInBrowser(url: string): Promise<boolean> {
  const program = process.platform === "darwin" ? "open" : "xdg-open";
  return new Promise((resolve) => {
    const child = spawn(program, [url], { detached: true, stdio: "ignore" });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}

/** How to reach the page from another machine. */
export function tunnelHint(url: string): string {
  const { port } = new URL(url);
  return `from another machine, first: ssh -L ${port}:localhost:${port} ${userName()}@${hostname()}`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "USER";
  }
}
