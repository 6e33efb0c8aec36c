import { queryOptions, skipToken } from "@tanstack/react-query";
import type { AuditEntryView } from "../../../src/protocol/views/audit.ts";
import { call } from "./call.ts";

export const tokensQuery = () =>
  queryOptions({
    queryKey: ["tokens"],
    queryFn: ({ signal }) => call("GET /api/tokens", { signal }),
    // Tokens are also created with `ao token`, which the page is not notified of.
    staleTime: 0,
  });

/** null: the file for machine-wide keys. */
const inputOf = (project: string | null) => (project === null ? {} : { project });

export const configQuery = (project: string | null) =>
  queryOptions({
    queryKey: ["config", project],
    queryFn: ({ signal }) => call("GET /api/config", { input: inputOf(project), signal }),
    // The file is also edited elsewhere, which the page is not notified of.
    staleTime: 0,
  });

/** Unsaved text. Only in memory: it can contain secrets, which no browser storage should keep. */
export const configDraftQuery = (project: string | null) =>
  queryOptions<string | null>({
    queryKey: ["config-draft", project],
    queryFn: skipToken,
    gcTime: Number.POSITIVE_INFINITY,
  });

export const configPreviewQuery = (project: string | null, text: string) =>
  queryOptions({
    queryKey: ["config-preview", project, text],
    queryFn: ({ signal }) => call("POST /api/config/preview", { input: { ...inputOf(project), text }, signal }),
    staleTime: 0,
    gcTime: 0,
  });

export const dryRunQuery = (project: string | null, text: string) =>
  queryOptions({
    queryKey: ["config-dry-run", project, text],
    queryFn: ({ signal }) => call("POST /api/config/dry-run", { input: { ...inputOf(project), text }, signal }),
    staleTime: 0,
    gcTime: 0,
  });

/** null: every outcome. */
export const auditQuery = (outcome: AuditEntryView["outcome"] | null) =>
  queryOptions({
    queryKey: ["audit", outcome],
    queryFn: ({ signal }) =>
      call("GET /api/audit", { input: { limit: 100, ...(outcome === null ? {} : { outcome }) }, signal }),
    // The stream does not report new entries.
    staleTime: 0,
  });
