import { spawn } from "node:child_process";

const MAX_OUTPUT = 16 * 1024;
const LIMIT_MS = 10 * 60_000;
/** A program may leave children that hold its output open. */
const LINGER_MS = 1000;

/** Runs a program to its end and returns its output lines, bounded, and how it ended. */
export function runProgram(argv: readonly string[], cwd: string): Promise<readonly string[]> {
  const [program = "", ...args] = argv;
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const child = spawn(program, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
    let timer = setTimeout(() => child.kill("SIGKILL"), LIMIT_MS);
    const finish = (end: string): void => {
      clearTimeout(timer);
      const text = Buffer.concat(chunks).subarray(0, MAX_OUTPUT).toString("utf8").trimEnd();
      const left = size > MAX_OUTPUT ? [`(${size - MAX_OUTPUT} bytes more)`] : [];
      resolve([...(text === "" ? [] : text.split("\n")), ...left, end]);
    };
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        if (size < MAX_OUTPUT) chunks.push(chunk);
        size += chunk.length;
      });
    }
    child.on("error", (error) => finish(`could not be run: ${error.message}`));
    child.on("exit", () => {
      clearTimeout(timer);
      timer = setTimeout(() => [child.stdout, child.stderr].map((stream) => stream.destroy()), LINGER_MS);
    });
    child.on("close", (code, signal) => finish(code === null ? `ended by ${signal}` : `exit code ${code}`));
  });
}
