import { AoError } from "../../core/errors.ts";

/** Only people approve and merge; an agent that tries to in its session gets an error that says so. */
export function refuseAgent(what: string): void {
  const session = process.env["AO_SESSION"];
  if (session === undefined || session === "") return;
  const message = `an agent cannot ${what} (session ${session})`;
  throw new AoError({ code: "forbidden", message, hint: "A person has to do it, outside the session." });
}
