import { spawn } from "node:child_process";
import type { IncomingMessage, ServerResponse } from "node:http";

interface GitRequest {
  readonly gitDir: string;
  /** The part after the repository's URL, such as `/info/refs`. */
  readonly path: string;
  readonly query: string;
  readonly login: string;
}

/** Serves clone, fetch and push with git's own server program. Resolves when the answer is sent. */
export function serveGit(request: IncomingMessage, response: ServerResponse, what: GitRequest): Promise<void> {
  const { gitDir, path, query, login } = what;
  const child = spawn("git", ["http-backend"], {
    env: {
      PATH: process.env["PATH"] ?? "",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_SYSTEM: "/dev/null",
      GIT_PROJECT_ROOT: gitDir,
      GIT_HTTP_EXPORT_ALL: "1",
      PATH_INFO: path,
      QUERY_STRING: query,
      REQUEST_METHOD: request.method ?? "GET",
      REMOTE_USER: login,
      REMOTE_ADDR: "127.0.0.1",
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
      HTTP_GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
      ...(request.headers["content-length"] === undefined ? {} : { CONTENT_LENGTH: request.headers["content-length"] }),
    },
    stdio: ["pipe", "pipe", "ignore"],
  });
  request.pipe(child.stdin);
  child.stdin.on("error", () => undefined);
  return new Promise((done) => {
    let head: Buffer | null = Buffer.alloc(0);
    child.stdout.on("data", (chunk: Buffer) => {
      if (head === null) {
        response.write(chunk);
        return;
      }
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf("\r\n\r\n");
      if (end < 0) return;
      writeHead(response, head.subarray(0, end).toString("latin1"));
      response.write(head.subarray(end + 4));
      head = null;
    });
    child.on("error", () => response.destroy());
    child.on("close", () => response.end(() => done()));
    response.on("close", () => done());
  });
}

function writeHead(response: ServerResponse, head: string): void {
  for (const line of head.split("\r\n")) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1).trim();
    if (name.toLowerCase() === "status") response.statusCode = Number.parseInt(value, 10);
    else response.setHeader(name, value);
  }
}
