import { useQuery } from "@tanstack/react-query";
import { PERMISSION_LEVELS } from "../../../../src/protocol/choices.ts";
import { agentsQuery } from "../../data/project-queries.ts";
import { oneOf } from "../../lib/url-state.ts";
import { Field, Select } from "../../parts/field.tsx";
import type { Draft } from "./plan-start.ts";

const MOST_COPIES = 8;
const AS_PROJECT = { value: "", label: "project default" };
const LEVELS = [
  AS_PROJECT,
  { value: "ask", label: "ask for everything" },
  { value: "edits", label: "edit files" },
  { value: "all", label: "everything" },
];

interface Props {
  readonly draft: Draft;
  readonly onChange: (changes: Partial<Draft>) => void;
}

/** Agent, model, permissions and count, where they differ from the project's. */
export function LaunchOptions({ draft, onChange }: Props) {
  const found = useQuery(agentsQuery()).data?.found ?? [];
  const agents = [AS_PROJECT, ...found.map((agent) => ({ value: agent, label: agent }))];
  return (
    <div className="new-session-options">
      <Field label="Agent">
        {(id) => <Select id={id} value={draft.agent} options={agents} onChoose={(agent) => onChange({ agent })} />}
      </Field>
      <Field label="Model">
        {(id) => (
          <input
            id={id}
            className="input"
            placeholder={AS_PROJECT.label}
            value={draft.model}
            onChange={({ target }) => onChange({ model: target.value })}
          />
        )}
      </Field>
      <Field label="May do without asking">
        {(id) => (
          <Select
            id={id}
            value={draft.permissions}
            options={LEVELS}
            onChoose={(level) => onChange({ permissions: oneOf(["", ...PERMISSION_LEVELS], level) })}
          />
        )}
      </Field>
      <Field label="Copies of the task">
        {(id) => (
          <input
            id={id}
            className="input"
            type="number"
            min={1}
            max={MOST_COPIES}
            value={draft.count}
            onChange={({ target }) =>
              onChange({ count: Math.min(MOST_COPIES, Math.max(1, target.valueAsNumber || 1)) })
            }
          />
        )}
      </Field>
    </div>
  );
}
