/** What an agent was working on when it used something: its task, a review, or a failed check or conflict. */
export type CostReason = "work" | "review" | "fixes";

const REASONS: ReadonlyMap<string, CostReason> = new Map([
  ["ci-failed", "fixes"],
  ["merge-conflict", "fixes"],
  ["changes-requested", "review"],
  ["review-commented", "review"],
  ["bot-commented", "review"],
]);

/** Why the running turn was started; if unknown, it is work. */
export function reasonOf({
  turn,
  messages,
}: {
  readonly turn: { readonly messageId: string } | null;
  readonly messages: readonly { readonly id: string; readonly about?: string }[];
}): CostReason {
  const begun = messages.find(({ id }) => id === turn?.messageId);
  return REASONS.get(begun?.about ?? "") ?? "work";
}
