import type { ConfigPreviewView, ConfigProblemView, ConfigView } from "../../../../src/protocol/views/config.ts";
import { DiffFileView } from "../../parts/diff/diff-file.tsx";
import { parseDiff } from "../../parts/diff/parse-diff.ts";
import { Phrase, Untrusted } from "../../parts/untrusted.tsx";
import { describeWhen, shortKey } from "./describe-changes.ts";

interface Props {
  readonly project: string | null;
  readonly file: ConfigView;
  /** undefined: unchanged, or being checked. */
  readonly preview: ConfigPreviewView | undefined;
  readonly problems: readonly ConfigProblemView[];
}

/**
 * What saving would do: problems first, else the diff and every changed setting; without a change, what is in force.
 */
export function ConfigPreview({ project, file, preview, problems }: Props) {
  const [diff] = preview === undefined ? [] : parseDiff(preview.diff).files;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="config-body" tabIndex={0} aria-label="Details">
      {problems.length === 0 ? null : <Problems problems={problems} />}
      {diff === undefined ? null : <DiffFileView file={diff} />}
      {preview === undefined || preview.changes.length === 0 ? null : (
        <Changes changes={preview.changes} project={project} />
      )}
      {preview === undefined && problems.length === 0 ? <Settings file={file} project={project} /> : null}
      <Notes notes={(preview ?? file).notes} />
    </section>
  );
}

function Problems({ problems }: { readonly problems: readonly ConfigProblemView[] }) {
  return (
    <ul className="config-list" id="yaml-problems" aria-label="Problems">
      {problems.map(({ line, column, key, message, hint }) => (
        <li key={`${line}:${column}:${key}`} className="config-problem">
          <span className="bad">line {line}</span>
          <span>
            {key === "" ? null : <code>{key}: </code>}
            {message}
            {hint === null ? null : <span className="ink-2"> ({hint})</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Changes({
  changes,
  project,
}: {
  readonly changes: ConfigPreviewView["changes"];
  readonly project: string | null;
}) {
  return (
    <>
      <h3 className="config-title strong">Settings that change</h3>
      <ul className="config-list" aria-label="Settings that change">
        {changes.map((change) => (
          <li key={change.key} className="config-change">
            <Untrusted className="mono" text={shortKey(change.key, project)} />
            <Untrusted className="mono" text={`${change.before ?? "not set"} → ${change.after ?? "not set"}`} />
            <Phrase className="small ink-3" text={describeWhen(change)} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Settings({ file, project }: Pick<Props, "file" | "project">) {
  return (
    <dl className="config-settings">
      {file.settings.map(({ key, value }) => (
        <div key={key}>
          <dt className="mono ink-3">
            <Untrusted text={shortKey(key, project)} />
          </dt>
          <dd className="mono">
            <Untrusted text={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Notes({ notes }: { readonly notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return (
    <ul className="config-list" aria-label="Notes">
      {notes.map((note) => (
        <li key={note} className="small ink-2">
          <Phrase text={note} />
        </li>
      ))}
    </ul>
  );
}
