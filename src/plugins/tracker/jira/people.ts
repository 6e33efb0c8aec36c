import { z } from "zod";
import { PluginError } from "../../../core/errors.ts";
import type { JiraClient } from "../../../providers/jira/client.ts";
import { Person } from "./record.ts";

/** Jira's id of a person by name or email address; null: not found. */
export async function findPerson(client: JiraClient, written: string): Promise<string | null> {
  const isCloud = (await client.deployment()) === "cloud";
  const query: Record<string, string> = isCloud ? { query: written } : { username: written };
  const found = await client.ask({ method: "GET", path: "/user/search", query, answer: z.array(Person) });
  const isNamed = ({ name, displayName, emailAddress, accountId }: Person): boolean =>
    [name, displayName, emailAddress, accountId].some((one) => one?.toLowerCase() === written.toLowerCase());
  const [person, another] = found.filter(isNamed);
  if (another !== undefined) {
    const message = `Jira has several people named ${written}.`;
    throw new PluginError({
      plugin: "jira",
      code: "usage",
      category: "conflict",
      message,
      hint: "Give the e-mail address.",
    });
  }
  return (isCloud ? person?.accountId : person?.name) ?? null;
}
