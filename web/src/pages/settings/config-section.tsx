import "./config-section.css";
import { lazy, Suspense } from "react";
import { writeOutHidden } from "../../../../src/core/hidden-characters.ts";
import { useShortcuts } from "../../keys/use-shortcuts.ts";
import { Button } from "../../parts/button.tsx";
import { Failure } from "../../parts/failure-notice.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Untrusted } from "../../parts/untrusted.tsx";
import { ConfigControls } from "./config-controls.tsx";
import { countChanges, describeSaving } from "./describe-changes.ts";
import { DryRun } from "./dry-run.tsx";
import { type ConfigEditing, useConfig } from "./use-config.ts";
import { useSave } from "./use-save.ts";
import { YamlField } from "./yaml-field.tsx";

const ConfigPreview = lazy(() => import("./config-preview.tsx").then((m) => ({ default: m.ConfigPreview })));

/**
 * Edits a configuration file: common settings and the text on the left, the resulting changes on the right; nothing is
 * written before they are shown.
 */
export function ConfigSection({ project }: { readonly project: string | null }) {
  const editing = useConfig(project);
  const { file, loadError, text, preview, isChanged } = editing;
  const save = useSave(editing);
  useShortcuts({ save });
  if (loadError !== null) return <Failure error={loadError} />;
  if (file === undefined) return null;
  const problems = isChanged ? (preview?.problems ?? []) : file.problems;
  return (
    <div className="config">
      <section className="config-editor" aria-label="Editor">
        <header className="config-header">
          <h1 className="page-title">{project ?? "Machine-wide"}</h1>
          <Untrusted className="small ink-3 mono" text={file.file} />
        </header>
        <Outdated editing={editing} />
        <ConfigControls project={project} file={file} editing={editing} />
        <YamlField label={`Text of ${file.file}`} text={text} problems={problems} onChange={editing.change} />
      </section>
      <section className="config-preview" aria-label="Preview">
        <header className="config-header">
          <h2 className="strong">{isChanged ? "What saving changes" : "In force"}</h2>
          <span className="small ink-3">{isChanged ? describeDiff(editing) : "edit the file to see what changes"}</span>
        </header>
        {editing.previewError === null ? null : <Failure error={editing.previewError} />}
        {writeOutHidden(text) === text ? null : (
          <Notice tone="you">The text has hidden characters; the diff writes them out.</Notice>
        )}
        <Suspense fallback={null}>
          <ConfigPreview project={project} file={file} preview={preview} problems={problems} />
        </Suspense>
        {isChanged ? <DryRun project={project} editing={editing} /> : null}
        <SaveBar editing={editing} />
      </section>
    </div>
  );
}

function describeDiff({ preview }: ConfigEditing): string {
  if (preview === undefined) return "checking …";
  if (preview.problems.length > 0) return "";
  return `${countChanges(preview.changes.length)}, comments kept`;
}

function Outdated({ editing }: { readonly editing: ConfigEditing }) {
  if (!editing.isOutdated) return null;
  const actions = (
    <>
      <Button onClick={() => editing.reload(true)}>Keep mine</Button>
      <Button onClick={() => editing.reload(false)}>Load the file</Button>
    </>
  );
  return (
    <Notice tone="you" action={actions}>
      The file changed on disk since you opened it. Keep your text and compare it with the file, or load the file.
    </Notice>
  );
}

function SaveBar({ editing }: { readonly editing: ConfigEditing }) {
  const { isChanged, preview, former, saveError } = editing;
  return (
    <footer className="config-bar">
      {saveError === null ? <BarText editing={editing} /> : <Failure error={saveError} />}
      {isChanged ? (
        <>
          <Button size="verdict" onClick={editing.discard}>
            Discard
          </Button>
          <Button
            size="verdict"
            kind={editing.canSave ? "primary" : "waiting"}
            hint="Ctrl S"
            disabled={!editing.canSave || preview === undefined}
            onClick={editing.save}
          >
            Save file
          </Button>
        </>
      ) : null}
      {!isChanged && former !== null ? (
        <Button size="verdict" disabled={editing.isSaving} onClick={editing.undo}>
          Undo
        </Button>
      ) : null}
    </footer>
  );
}

function BarText({ editing }: { readonly editing: ConfigEditing }) {
  const { isChanged, preview, former, isSaving } = editing;
  if (isSaving) return <Notice>Saving …</Notice>;
  if (!isChanged) return former === null ? <Notice>no unsaved changes</Notice> : <Notice tone="good">Saved.</Notice>;
  if (preview === undefined) return <Notice>checking …</Notice>;
  const count = preview.problems.length;
  if (count > 0) return <Notice tone="bad">{count === 1 ? "1 problem to fix" : `${count} problems to fix`}</Notice>;
  return <Notice>{describeSaving(preview.changes)}</Notice>;
}
