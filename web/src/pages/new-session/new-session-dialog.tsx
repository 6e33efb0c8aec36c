import "./new-session.css";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useState } from "react";
import { useLocation } from "wouter";
import { projectsQuery } from "../../data/queries.ts";
import { useHref, useProject } from "../../lib/url-state.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Failure } from "../../parts/failure-notice.tsx";
import { Field, Select } from "../../parts/field.tsx";
import { NoProject } from "../first-run/no-project.tsx";
import { IssuePicker } from "./issue-picker.tsx";
import { LaunchOptions } from "./launch-options.tsx";
import { describeStart, keepRefused, planStart } from "./plan-start.ts";
import { useLoad, useStart, useStartDraft } from "./use-start.ts";

/** Describe a task or pick issues, and see what will happen before starting. */
export function NewSessionDialog() {
  const [, navigate] = useLocation();
  const href = useHref();
  const wanted = useProject();
  const projects = useQuery(projectsQuery()).data?.data;
  const [chosen, setChosen] = useState<string | null>(null);
  const project = chosen ?? wanted ?? projects?.[0]?.id ?? null;
  const close = (): void => (history.length > 1 ? history.back() : navigate(href("/")));
  const openCreated = (ids: readonly string[]): void =>
    navigate(ids.length === 1 ? href(`/s/${ids[0]}`) : href("/"), { replace: true });
  const aside =
    projects === undefined || projects.length < 2 ? null : (
      <Select
        aria-label="Project"
        style={{ width: "auto" }}
        value={project ?? ""}
        options={projects.map(({ id }) => ({ value: id, label: id }))}
        onChoose={setChosen}
      />
    );
  return (
    <Dialog title="New session" aside={aside} isOpen onClose={close}>
      {project === null ? (
        <div className="new-session">{projects === undefined ? null : <NoProject />}</div>
      ) : (
        <NewSessionForm project={project} onCreated={openCreated} />
      )}
    </Dialog>
  );
}

interface FormProps {
  readonly project: string;
  readonly onCreated: (ids: readonly string[]) => void;
}

function NewSessionForm({ project, onCreated }: FormProps) {
  const [draft, change] = useStartDraft(project);
  const { isBusy, refusals, start } = useStart(project);
  const load = useLoad();
  const count = planStart(draft, project, false).length;
  const next = describeStart(Math.max(1, count), load);
  const run = async (isOverLimit: boolean): Promise<void> => {
    const planned = planStart(draft, project, isOverLimit);
    const { created, refused } = await start(planned);
    if (created.length > 0 && refused.length === 0) onCreated(created);
    else if (created.length > 0) change(keepRefused(draft, refused));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || count === 0) return;
    event.preventDefault();
    void run(event.shiftKey);
  };
  const verb = next.isQueued ? "Queue" : "Start";
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the shortcut works wherever the focus is in the form
    <div className="new-session" onKeyDown={onKeyDown}>
      <Field label="What should the agent do? Describe it, or pick open issues below.">
        {(id) => (
          <textarea
            id={id}
            className="input"
            rows={3}
            // The dialog is opened for typing.
            // biome-ignore lint/a11y/noAutofocus: the focus of a new dialog has to go somewhere
            autoFocus
            value={draft.text}
            onChange={({ target }) => change({ text: target.value })}
          />
        )}
      </Field>
      <IssuePicker key={project} project={project} chosen={draft.issues} onChange={(issues) => change({ issues })} />
      <LaunchOptions draft={draft} onChange={change} />
      {refusals.map(({ name, error }) => (
        <div key={name}>
          <span className="strong">{name}</span> <Failure error={error} />
        </div>
      ))}
      <footer className="new-session-footer">
        <div className="new-session-next">
          <p className="strong">What happens next</p>
          <p className="small ink-2">{next.text}</p>
        </div>
        {next.isQueued ? (
          <Button
            size="verdict"
            disabled={count === 0 || isBusy}
            hint="Ctrl Shift Enter"
            onClick={() => void run(true)}
          >
            Start over the limit
          </Button>
        ) : null}
        <Button
          kind="primary"
          size="verdict"
          disabled={count === 0 || isBusy}
          hint="Ctrl Enter"
          onClick={() => void run(false)}
        >
          {isBusy ? "Starting …" : count > 1 ? `${verb} ${count}` : verb}
        </Button>
      </footer>
    </div>
  );
}
