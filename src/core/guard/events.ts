/** What can happen to the base of a project under the main guard. docs/lifecycle.md has a row for each. */
export type MainEvent =
  | { readonly type: "main.watched"; readonly commit: string }
  | { readonly type: "main.passed"; readonly commit: string }
  | { readonly type: "main.broke"; readonly commit: string; readonly check: string }
  /** `key` null: no merge by `ao`, as far as known. */
  | { readonly type: "main.blamed"; readonly key: string | null; readonly commit: string }
  | { readonly type: "main.reverted"; readonly key: string; readonly commit: string }
  | { readonly type: "main.revert-failed"; readonly key: string; readonly reason: string }
  /** The task is open again; `sessionId` null: no agent could be woken. */
  | { readonly type: "main.returned"; readonly key: string; readonly sessionId: string | null };
