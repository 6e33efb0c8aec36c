import type { SettingChangeView } from "../../../../src/protocol/views/config.ts";

/** When a change takes effect. */
export function describeWhen({ applies, sessions }: SettingChangeView): string {
  const open = sessions === 0 ? "" : `, ${sessions} open ${sessions === 1 ? "session" : "sessions"}`;
  switch (applies) {
    case "now":
      return `immediately${open}`;
    case "next-start":
      return `the next time an agent starts${open}`;
    case "new-sessions":
      return "new sessions";
    case "daemon-restart":
      return "after `ao stop` and `ao start`";
    case "registration":
      return "after `ao start` in the project";
  }
}

/** What saving does, in one line. */
export function describeSaving(changes: readonly SettingChangeView[]): string {
  if (changes.length === 0) return "no setting changes";
  return changes.every(({ applies }) => applies === "now")
    ? "applies immediately, agents keep running"
    : "agents keep running";
}

/** `3 changes`. */
export function countChanges(count: number): string {
  return count === 1 ? "1 change" : `${count} changes`;
}

/** A key without the page's own project. */
export function shortKey(key: string, project: string | null): string {
  const prefix = `projects.${project}.`;
  return project !== null && key.startsWith(prefix) ? key.slice(prefix.length) : key;
}
