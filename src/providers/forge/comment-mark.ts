const MARK = /\s*<!-- ao:([\w.:-]+) -->\s*$/;

/** Marks our comments so that they can be recognized; invisible on the page. */
export function markOf(id: string): string {
  return `\n\n<!-- ao:${id.replaceAll(/[^\w.:-]/g, "_")} -->`;
}

/** A comment without its mark; `id` is null for one that `ao` did not write. */
export function readMark(body: string): { readonly id: string | null; readonly text: string } {
  return { id: MARK.exec(body)?.[1] ?? null, text: body.replace(MARK, "") };
}
