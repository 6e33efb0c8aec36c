import { spawn } from "node:child_process";
import { connect, createServer } from "node:net";

const MAX_CONNECTIONS = 256;
const READY = "ready";

/**
 * Forwards connections from a port on the sandbox's own loopback to the proxy's socket. Returns once it is listening
 * and leaves a process running that does the forwarding.
 */
export async function runInside([socket = "", port = "0", role = ""]: readonly string[]): Promise<void> {
  if (role === "serve") return serve(socket, Number(port));
  const [, script = ""] = process.argv;
  const server = spawn(process.execPath, [...process.execArgv, script, "inside", socket, port, "serve"], {
    detached: true,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const isReady = await new Promise<boolean>((resolve) => {
    server.once("message", () => resolve(true));
    server.once("exit", () => resolve(false));
  });
  process.exit(isReady ? 0 : 1);
}

function serve(socket: string, port: number): void {
  const server = createServer((client) => {
    const proxy = connect(socket);
    const end = (): void => {
      client.destroy();
      proxy.destroy();
    };
    client.on("error", end).on("close", end).pipe(proxy).on("error", end).on("close", end).pipe(client);
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.listen(port, "127.0.0.1", () => {
    process.send?.(READY);
    process.disconnect?.();
  });
}
