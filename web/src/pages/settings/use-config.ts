import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { ConfigPreviewView, ConfigView } from "../../../../src/protocol/views/config.ts";
import { call } from "../../data/call.ts";
import { configDraftQuery, configPreviewQuery, configQuery } from "../../data/settings-queries.ts";

/** How long typing must pause before the daemon checks the text. */
const PAUSE_MS = 250;

export interface ConfigEditing {
  readonly file: ConfigView | undefined;
  readonly loadError: Error | null;
  readonly text: string;
  readonly isChanged: boolean;
  /** What the text would do; undefined: not known yet. */
  readonly preview: ConfigPreviewView | undefined;
  readonly previewError: Error | null;
  /** The preview is about this text, not about an earlier one. */
  readonly isCurrent: boolean;
  /** A valid text whose settings differ from those in force; null: there is none, or it is being checked. */
  readonly triable: string | null;
  /** The file on disk is no longer the one that the text started from. */
  readonly isOutdated: boolean;
  readonly canSave: boolean;
  readonly isSaving: boolean;
  readonly saveError: Error | null;
  /** The text before the last save, to revert to. */
  readonly former: string | null;
  /** The text of this moment. */
  readText(): string;
  change(text: string): void;
  discard(): void;
  save(): void;
  undo(): void;
  /** Uses the file on disk as the new base; `mine` keeps what was typed. */
  reload(mine: boolean): void;
}

/** The text of a configuration file being edited: what was typed, what it would do, and saving it. */
export function useConfig(project: string | null): ConfigEditing {
  const queries = useQueryClient();
  const { data: file, error: loadError, refetch } = useQuery(configQuery(project));
  const draft = useQuery(configDraftQuery(project)).data ?? null;
  const draftKey = configDraftQuery(project).queryKey;
  const setDraft = (text: string | null): void => void queries.setQueryData(draftKey, text);
  const text = draft ?? file?.text ?? "";
  const isChanged = file !== undefined && text !== file.text;
  const { preview, previewError, isCurrent, triable } = usePreview(project, text, isChanged);
  const [former, setFormer] = useState<string | null>(null);
  const write = useMutation({
    mutationFn: (wanted: string) =>
      call("PUT /api/config", {
        input: { text: wanted, ...(project === null ? {} : { project }) },
        ifMatch: file?.version ?? "",
      }),
    onSuccess: (saved) => {
      setFormer(file?.text ?? null);
      // What was typed while waiting for the answer is still unsaved.
      if (queries.getQueryData(draftKey) === saved.text) setDraft(null);
      queries.setQueryData(configQuery(project).queryKey, saved);
    },
  });
  const isOutdated = preview !== undefined && isCurrent && file !== undefined && preview.version !== file.version;
  const canSave = isCurrent && preview?.problems.length === 0 && !isOutdated && !write.isPending;
  return {
    file,
    loadError,
    text,
    isChanged,
    preview,
    previewError,
    isCurrent,
    triable,
    isOutdated: isOutdated || isConflict(write.error),
    canSave,
    isSaving: write.isPending,
    saveError: isConflict(write.error) ? null : write.error,
    former,
    readText: () => queries.getQueryData(draftKey) ?? queries.getQueryData(configQuery(project).queryKey)?.text ?? "",
    change: (typed) => {
      write.reset();
      setDraft(typed);
    },
    discard: () => {
      write.reset();
      setDraft(null);
    },
    save: () => {
      if (canSave) write.mutate(text);
    },
    undo: () => {
      if (former !== null) write.mutate(former, { onSuccess: () => setFormer(null) });
    },
    reload: (mine) => {
      write.reset();
      setDraft(mine ? text : null);
      void refetch();
    },
  };
}

interface Previewing extends Pick<ConfigEditing, "preview" | "previewError" | "triable"> {
  /** It is about exactly this text, not an earlier one. */
  readonly isCurrent: boolean;
}

function usePreview(project: string | null, text: string, isChanged: boolean): Previewing {
  const asked = useDebounced(text, PAUSE_MS);
  const { data, error, isPlaceholderData } = useQuery({
    ...configPreviewQuery(project, asked),
    enabled: isChanged,
    placeholderData: keepPreviousData,
  });
  const isValid = isChanged && !isPlaceholderData && data !== undefined && data.problems.length === 0;
  return {
    preview: isChanged ? data : undefined,
    previewError: isChanged ? error : null,
    triable: isValid && data.changes.length > 0 ? asked : null,
    isCurrent: !isPlaceholderData && asked === text,
  };
}

function isConflict(error: Error | null): boolean {
  return error !== null && "code" in error && error.code === "changed-meanwhile";
}

function useDebounced(value: string, ms: number): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
