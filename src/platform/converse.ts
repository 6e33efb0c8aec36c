import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Conversation, HostProcesses } from "../ports/host.ts";

/** Starts a program that speaks in lines; it belongs to this process and ends when its input does. */
export function converse(request: Parameters<HostProcesses["converse"]>[0]): Conversation {
  const child = spawn(request.program, [...request.args], {
    cwd: request.cwd,
    env: { ...request.env },
    stdio: ["pipe", "pipe", "ignore"],
  });
  let isOver = false;
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    request.onEnd();
  };
  child.once("error", end);
  child.once("close", end);
  // A writer learns through `onEnd` that the program just ended.
  child.stdin.on("error", () => undefined);
  createInterface({ input: child.stdout, crlfDelay: 0 }).on("line", request.onLine);
  return {
    write: (line) => void (isOver || child.stdin.write(`${line}\n`)),
    close: () => {
      child.stdin.end();
      child.kill();
    },
  };
}
