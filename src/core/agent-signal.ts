/** What one line of an agent's output says, beyond being output. */
export type AgentSignal =
  | { readonly kind: "status"; readonly state: "working" | "idle" | "waiting"; readonly note: string | null }
  | { readonly kind: "asked"; readonly id: string; readonly question: string; readonly choices: readonly string[] }
  | { readonly kind: "usage"; readonly inputTokens: number; readonly outputTokens: number; readonly costUsd: number }
  | { readonly kind: "received"; readonly id: string }
  | { readonly kind: "done"; readonly summary: string };
