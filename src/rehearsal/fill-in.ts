/** What a text of the script may name. */
export interface Blanks {
  readonly id: string;
  readonly text: string;
  readonly attempt: number;
  readonly session: string;
  readonly branch: string;
}

/** Puts values in place of `{{name}}`; what is put in is not looked at again, and unknown names stay. */
export function fillIn(text: string, blanks: Blanks): string {
  return text.replace(/\{\{(id|text|attempt|session|branch)\}\}/g, (_, name: keyof Blanks) => String(blanks[name]));
}
