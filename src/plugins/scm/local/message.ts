import type { MergeRequest } from "../../../ports/scm.ts";

const MAX_SUBJECT_CHARS = 200;
const MAX_BODY_CHARS = 16_000;

/** The message of the commit that brings a change into its base. */
export function formatMessage(request: MergeRequest, coAuthors: readonly string[]): string {
  const body = clean(request.body).trim().slice(0, MAX_BODY_CHARS);
  const trailers = [
    ...coAuthors.map((one) => `Co-authored-by: ${one}`),
    `Ao-Change: ${clean(request.project.id).replace(/\s/g, "-")}/${request.number}`,
  ];
  return [formatSubject(request), ...(body === "" ? [] : [body]), trailers.join("\n")].join("\n\n").concat("\n");
}

function formatSubject({ title, number }: MergeRequest): string {
  const mark = `(#${number})`;
  const line = clean(title).replace(/\s+/g, " ").trim().slice(0, MAX_SUBJECT_CHARS);
  if (line.endsWith(mark)) return line;
  return line === "" ? `Change ${mark}` : `${line} ${mark}`;
}

// Git ends a message at NUL, and other control characters have no business in it.
function clean(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(/[\x00-\x08\x0b-\x1f\x7f]/g, "");
}
