/** What an agent asks, whole: newlines and control characters are as the agent gave them. */
export interface QuestionView {
  readonly id: string;
  /** permission: the agent wants to do something; question: it wants to know something. */
  readonly kind: "permission" | "question";
  readonly question: string;
  /** Verbatim: the whole command, the diff of an edit, or any other text. */
  readonly detail: { readonly format: "command" | "diff" | "text"; readonly text: string } | null;
  readonly choices: readonly string[];
  /** By choice: what it means, such as the scope of "always". */
  readonly descriptions: Readonly<Record<string, string>>;
  /** Any other answer is allowed too; for a permission it denies with that reason. */
  readonly freeText: boolean;
  /** Somebody answered, and the answer is on its way to the agent. */
  readonly answered?: true;
}
