/** An issue's file as text: front matter between two lines `---`, then everything else. */
export interface FileText {
  /** Byte order mark, if any. */
  readonly mark: string;
  /** YAML without its fences; null if the file has none. */
  readonly frontMatter: string | null;
  /** Everything after the closing fence, byte for byte. */
  readonly rest: string;
  readonly lineEnd: "\n" | "\r\n";
}

/** The line on which the front matter starts. */
export const FRONT_MATTER_LINE = 2;

/** Splits a file's text; null if a front matter starts and never ends. */
export function splitFile(text: string): FileText | null {
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const content = text.slice(mark.length);
  const opening = /^---[ \t]*(\r?\n)/.exec(content);
  if (opening === null) {
    return { mark, frontMatter: null, rest: content, lineEnd: content.includes("\r\n") ? "\r\n" : "\n" };
  }
  const inside = content.slice(opening[0].length);
  const closing = /^---[ \t]*(?:\r?\n|$)/m.exec(inside);
  if (closing === null) return null;
  return {
    mark,
    frontMatter: inside.slice(0, closing.index),
    rest: inside.slice(closing.index + closing[0].length),
    lineEnd: opening[1] === "\r\n" ? "\r\n" : "\n",
  };
}

/** Joins a file's text again. */
export function joinFile(file: FileText): string {
  if (file.frontMatter === null) return file.mark + file.rest;
  const yaml = file.frontMatter.replace(/\r?\n/g, file.lineEnd);
  return `${file.mark}---${file.lineEnd}${yaml}---${file.lineEnd}${file.rest}`;
}

/** The body without the empty line after the front matter and the final line break. */
export function readBody(file: FileText): string {
  const start = file.frontMatter === null ? file.rest : file.rest.replace(/^\r?\n/, "");
  return start.replace(/\r?\n$/, "");
}

/** The text after the front matter for this body. */
export function formatBody(body: string, lineEnd: string): string {
  return body === "" ? "" : `${lineEnd}${body}${lineEnd}`;
}
