/** Objects of an agent's repository that must not get into the project. */
export class RefusedContent extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(`The objects were refused: ${reason}`);
    this.name = "RefusedContent";
    this.reason = reason;
  }
}
