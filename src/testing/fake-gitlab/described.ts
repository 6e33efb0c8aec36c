/**
 * The fields that a type of @gitbeaker/core names. Its types allow arbitrary extra fields and rarely say what can be
 * null, so only names and types are compared.
 */
export type Described<T> = { readonly [K in keyof T as string extends K ? never : K]?: Loose<T[K]> | null };

type Loose<T> = T extends (infer U)[] ? readonly Loose<U>[] : T extends object ? Described<T> : T;

export function at(moment: number): string {
  return new Date(moment).toISOString();
}

export function atOrNull(moment: number | null): string | null {
  return moment === null ? null : at(moment);
}
