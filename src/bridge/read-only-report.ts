import { findReadOnlyPath } from "../core/cause/find-refusal.ts";
import { encodeSignal } from "../core/lines-protocol.ts";

const MAX_REPORTS = 20;
/** Errors stand at the end. */
const MAX_TEXT = 16 * 1024;

/** Does the agent run in a sandbox? */
export function isEnclosed(env: Readonly<Record<string, string | undefined>>): boolean {
  return (env["AO_SANDBOX"] ?? "") !== "";
}

/** Reports each path that a tool could not write in the sandbox, once. */
export function createReadOnlyReport(write: (line: string) => void): (text: string) => void {
  const reported = new Set<string>();
  return (text) => {
    const path = findReadOnlyPath(text.slice(-MAX_TEXT));
    if (path === null || reported.has(path) || reported.size >= MAX_REPORTS) return;
    reported.add(path);
    write(encodeSignal({ kind: "read-only", path }));
  };
}
