import { readAnswer } from "../../protocol/request.ts";
import type { HealthView } from "../../protocol/views/daemon.ts";
import type { Client } from "./client.ts";

/** The daemon's state, even if it is in trouble, which it reports with status 503; starts it as the client may. */
export async function fetchHealth(client: Pick<Client, "send">): Promise<HealthView> {
  const answer = await client.send({ method: "GET", path: "/healthz" });
  return (readHealth(answer.text) ?? readAnswer(answer)) as HealthView;
}

function readHealth(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && "trouble" in value ? value : null;
  } catch {
    return null;
  }
}
