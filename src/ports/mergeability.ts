/** Would two commits merge? */
export type Mergeability =
  | { readonly kind: "clean" }
  | { readonly kind: "conflict"; readonly files: readonly string[] }
  /** Cannot be determined (git too old, objects missing). */
  | { readonly kind: "unknown"; readonly reason: string };
