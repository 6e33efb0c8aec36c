/** How a person is notified: at once and alone (`urgent`), or together with other notices. */
export type NoticePriority = "urgent" | "action" | "warning" | "info";

/** What planning needs to know about a notice. */
export interface NoticeFacts {
  /** The same for every attempt, so that a receiver can drop a repetition. */
  readonly id: string;
  readonly priority: NoticePriority;
  readonly at: number;
}
