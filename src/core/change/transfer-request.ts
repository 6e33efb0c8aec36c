/** A request to open a local pull request on the forge of its project. */
export interface TransferRequest {
  readonly by: string;
  readonly attempt: number;
  /** The forge has not answered yet. */
  readonly isPending: boolean;
  /** Why the last attempt failed; null: none did. */
  readonly reason: string | null;
}
