import { existsSync, readFileSync } from "node:fs";
import { appendLine } from "../platform/append-line.ts";
import type { Clock } from "../ports/host.ts";
import type { HomePaths } from "../protocol/home.ts";
import { AuditEntryView } from "../protocol/views/audit.ts";
import type { Audit } from "../server/audit.ts";

const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Keeps writes as JSON lines in two files, one for completed and one for refused writes. Each has its own rotation, so
 * that refused requests, which anyone can send, never push out completed ones.
 */
export function createAuditFile(paths: Pick<HomePaths, "audit" | "auditRefused">, clock: Pick<Clock, "now">): Audit {
  const files = [paths.audit, paths.auditRefused];
  let count = 0;
  return {
    record: (record) => {
      const at = clock.now();
      count += 1;
      const entry: AuditEntryView = { id: `${at.toString(36)}-${count}`, at: new Date(at).toISOString(), ...record };
      append(record.outcome === "done" ? paths.audit : paths.auditRefused, JSON.stringify(entry));
    },
    read: () =>
      files
        .flatMap((file) => [`${file}.1`, file].flatMap(readEntries))
        .map((entry, index) => ({ entry, index }))
        .sort((a, b) => b.entry.at.localeCompare(a.entry.at) || b.index - a.index)
        .map(({ entry }) => entry),
  };
}

function append(file: string, line: string): void {
  try {
    appendLine(file, line, { maxBytes: MAX_BYTES });
  } catch {
    // A full disk must not keep people from writing; /healthz reports what matters.
  }
}

function readEntries(file: string): readonly AuditEntryView[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8").split("\n").flatMap(parseEntry);
}

// A line that a crash cut off is ignored.
function parseEntry(line: string): readonly AuditEntryView[] {
  if (line === "") return [];
  try {
    const parsed = AuditEntryView.safeParse(JSON.parse(line));
    return parsed.success ? [parsed.data] : [];
  } catch {
    return [];
  }
}
