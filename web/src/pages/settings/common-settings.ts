import type { ConfigPreviewView, ConfigView } from "../../../../src/protocol/views/config.ts";

/** One control: the key that it sets, and its label. */
export type Control = { readonly key: string; readonly label: string } & (
  | { readonly kind: "number" | "text" }
  | {
      readonly kind: "choice";
      readonly options: readonly string[];
      /** What else an option needs, by option. */
      readonly needs?: Readonly<Record<string, Edit>>;
    }
);

/** A key, and the value to set. */
export interface Edit {
  readonly key: string;
  readonly value: string;
}

export interface CommonSetting {
  readonly name: string;
  readonly about: string;
  readonly controls: readonly Control[];
}

const attempts = (reaction: string): readonly Control[] => [
  { kind: "number", key: `reactions.${reaction}.retries`, label: "messages" },
  { kind: "text", key: `reactions.${reaction}.escalateAfter`, label: "escalate after" },
];

/** What people change most in a project; every other key is in the text below. */
export const PROJECT_SETTINGS: readonly CommonSetting[] = [
  { name: "Check fails", about: "Sends the end of the log to the agent", controls: attempts("ci-failed") },
  {
    name: "Changes requested",
    about: "Sends all comments as one message",
    controls: attempts("changes-requested"),
  },
  { name: "Merge conflict", about: "With the base branch", controls: attempts("merge-conflict") },
  {
    name: "Agent silent",
    about: "No sign of life while it works",
    controls: [{ kind: "text", key: "reactions.agent-stuck.threshold", label: "escalate after" }],
  },
  {
    name: "Approved and green",
    about: "Nothing blocks the merge",
    controls: [
      {
        kind: "choice",
        key: "reactions.approved-and-green.action",
        label: "action",
        options: ["notify", "merge"],
        // By default this rule only notifies, whatever its action.
        needs: { merge: { key: "reactions.approved-and-green.auto", value: "true" } },
      },
      { kind: "number", key: "policies.approvals", label: "approvals needed" },
    ],
  },
];

export const MACHINE_SETTINGS: readonly CommonSetting[] = [
  {
    name: "Parallel agents",
    about: "Others wait in the queue",
    controls: [{ kind: "number", key: "limits.parallelAgents", label: "at most" }],
  },
  {
    name: "Idle agents",
    about: "Their process ends; a message wakes them",
    controls: [{ kind: "text", key: "lifecycle.hibernateAfter", label: "hibernate after" }],
  },
];

/** What choosing a value sets; what it needs besides is left out if it has that value already. */
export function editsFor(control: Control, value: string, currentValue: (key: string) => string): readonly Edit[] {
  const need = control.kind === "choice" ? control.needs?.[value] : undefined;
  const edit = { key: control.key, value };
  return need === undefined || currentValue(need.key) === need.value ? [edit] : [need, edit];
}

/** The value of a key that the text would apply; empty: none. */
export function findValue(
  key: string,
  { file, preview }: { readonly file: ConfigView; readonly preview: ConfigPreviewView | undefined },
): string {
  const change = preview?.changes.find((one) => one.key === key);
  if (change !== undefined) return change.after ?? "";
  return file.settings.find((one) => one.key === key)?.value ?? "";
}
