import type { Log } from "../ports/host.ts";
import { appendLine } from "./append-line.ts";
import { redact, redactText } from "./redact.ts";

const MAX_BYTES = 8 * 1024 * 1024;

/** A log of JSON lines in one file, bounded by a single rotation. */
export function createFileLog(path: string): Log {
  const write = (level: string, message: string, data?: Readonly<Record<string, unknown>>): void => {
    const line = JSON.stringify({
      at: new Date().toISOString(),
      level,
      message: redactText(message),
      ...(redact(data ?? {}) as object),
    });
    try {
      appendLine(path, line, { maxBytes: MAX_BYTES });
    } catch {
      // A full disk must not bring the daemon down through its log; /healthz reports what matters.
    }
  };
  return {
    debug: (message, data) => write("debug", message, data),
    info: (message, data) => write("info", message, data),
    warn: (message, data) => write("warn", message, data),
    error: (message, data) => write("error", message, data),
  };
}

/** A log that keeps nothing. */
export function createSilentLog(): Log {
  const nothing = (): void => undefined;
  return { debug: nothing, info: nothing, warn: nothing, error: nothing };
}
