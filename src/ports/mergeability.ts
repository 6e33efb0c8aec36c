/** Would two commits merge? */
export type Mergeability =
  | { readonly kind: "clean" }
  | { readonly kind: "conflict"; readonly files: readonly string[] }
  /** Cannot be told here (git too old, objects missing). */
  | { readonly kind: "unknown"; readonly reason: string };
