import { useMutation } from "@tanstack/react-query";
import { useEffect, useId, useState } from "react";
import type { ConfigView } from "../../../../src/protocol/views/config.ts";
import { call } from "../../data/call.ts";
import { Failure } from "../../parts/failure-notice.tsx";
import { Segments } from "../../parts/segments.tsx";
import { type Control, type Edit, editsFor, findValue, MACHINE_SETTINGS, PROJECT_SETTINGS } from "./common-settings.ts";
import { Setting } from "./setting.tsx";
import type { ConfigEditing } from "./use-config.ts";

interface Props {
  readonly project: string | null;
  readonly file: ConfigView;
  readonly editing: ConfigEditing;
}

/**
 * The most frequently changed settings. Each control edits the text, so that the diff shows its effect before saving.
 */
export function ConfigControls({ project, file, editing }: Props) {
  const { text, preview } = editing;
  const edit = useMutation({
    mutationFn: async (edits: readonly Edit[]) => {
      const owner = project === null ? {} : { project };
      let edited = text;
      for (const one of edits)
        edited = (await call("POST /api/config/edit", { input: { text: edited, ...one, ...owner } })).text;
      return edited;
    },
    onSuccess: (edited) => editing.change(edited),
  });
  const currentValue = (key: string): string =>
    findValue(project === null ? key : `projects.${project}.${key}`, { file, preview });
  return (
    <section className="config-controls" aria-label="Common settings">
      {(project === null ? MACHINE_SETTINGS : PROJECT_SETTINGS).map(({ name, about, controls }) => (
        <Setting key={name} name={name} about={about}>
          {controls.map((control) => (
            <ControlField
              key={control.key}
              control={control}
              about={name}
              value={currentValue(control.key)}
              onSet={(value) => edit.mutate(editsFor(control, value, currentValue))}
            />
          ))}
        </Setting>
      ))}
      {edit.error === null ? null : <Failure error={edit.error} />}
    </section>
  );
}

interface FieldProps {
  readonly control: Control;
  /** The setting that it belongs to. */
  readonly about: string;
  readonly value: string;
  readonly onSet: (value: string) => void;
}

function ControlField({ control, about, value, onSet }: FieldProps) {
  const id = useId();
  const [typed, setTyped] = useState(value);
  // A value from elsewhere, such as the text, replaces what was typed.
  useEffect(() => setTyped(value), [value]);
  const { label } = control;
  if (control.kind === "choice") {
    const options = control.options.map((option) => ({ value: option, label: option }));
    return <Segments label={`${about}: ${label}`} options={options} value={value} onChange={onSet} />;
  }
  const set = (): void => {
    if (typed.trim() !== "" && typed !== value) onSet(typed.trim());
  };
  return (
    <span className="config-control">
      <label htmlFor={id} className="small ink-2">
        {label}
      </label>
      <input
        id={id}
        className="input"
        aria-label={`${about}: ${label}`}
        inputMode={control.kind === "number" ? "numeric" : "text"}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={set}
        onKeyDown={(event) => {
          if (event.key === "Enter") set();
        }}
      />
    </span>
  );
}
