import { useMutation } from "@tanstack/react-query";
import { useEffect, useId, useRef, useState } from "react";
import type { ConfigView } from "../../../../src/protocol/views/config.ts";
import { call } from "../../data/call.ts";
import { Failure } from "../../parts/failure-notice.tsx";
import { Segments } from "../../parts/segments.tsx";
import { type Control, type Edit, editsFor, findValue, MACHINE_SETTINGS, PROJECT_SETTINGS } from "./common-settings.ts";
import { Setting } from "./setting.tsx";
import type { ConfigEditing } from "./use-config.ts";

/** The edits that are on their way into the text. */
export const EDIT_KEY = ["config", "edit"] as const;
const MOST_TURNS = 20;
/** How long typing into a field pauses before it changes the text. */
const PAUSE_MS = 500;

interface Props {
  readonly project: string | null;
  readonly file: ConfigView;
  readonly editing: ConfigEditing;
}

/**
 * The most frequently changed settings. Each control edits the text, so that the diff shows its effect before saving.
 */
export function ConfigControls({ project, file, editing }: Props) {
  const { preview } = editing;
  const edit = useMutation({
    mutationKey: EDIT_KEY,
    mutationFn: async (edits: readonly Edit[]) => {
      const owner = project === null ? {} : { project };
      // What is typed into the text meanwhile is not lost: the edit is made again in the newer text.
      for (let turn = 0; turn < MOST_TURNS; turn += 1) {
        const before = editing.readText();
        let edited = before;
        for (const one of edits)
          edited = (await call("POST /api/config/edit", { input: { text: edited, ...one, ...owner } })).text;
        if (editing.readText() === before) return editing.change(edited);
      }
      throw new Error("The text kept changing. Set it again once you have stopped typing.");
    },
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

function ControlField(props: FieldProps) {
  const { control, about, value, onSet } = props;
  if (control.kind !== "choice") return <TypedField {...props} />;
  const options = control.options.map((option) => ({ value: option, label: option }));
  return <Segments label={`${about}: ${control.label}`} options={options} value={value} onChange={onSet} />;
}

function TypedField({ control, about, value, onSet }: FieldProps) {
  const id = useId();
  const [typed, setTyped] = useState(value);
  const timer = useRef<number>(undefined);
  const sent = useRef(value);
  // A value from elsewhere, such as the text, replaces what was typed; the field's own value, coming back, does not.
  useEffect(() => {
    if (value !== sent.current) setTyped(value);
    sent.current = value;
  }, [value]);
  const set = (): void => {
    clearTimeout(timer.current);
    const wanted = typed.trim();
    if (wanted === "" || wanted === sent.current) return;
    sent.current = wanted;
    onSet(wanted);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: each letter starts the pause anew
  useEffect(() => {
    timer.current = window.setTimeout(set, PAUSE_MS);
    return () => clearTimeout(timer.current);
  }, [typed]);
  return (
    <span className="config-control">
      <label htmlFor={id} className="small ink-2">
        {control.label}
      </label>
      <input
        id={id}
        className="input"
        aria-label={`${about}: ${control.label}`}
        inputMode={control.kind === "number" ? "numeric" : "text"}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={set}
        onKeyDown={(event) => {
          // Ctrl S saves what is in the field too.
          if (event.key === "Enter" || (event.key === "s" && (event.ctrlKey || event.metaKey))) set();
        }}
      />
    </span>
  );
}
