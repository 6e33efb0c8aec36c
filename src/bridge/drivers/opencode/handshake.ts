import { type Api, wordsOf } from "./api.ts";
import { Config, Providers, Session } from "./messages.ts";
import { type OwnRule, readOwnRules } from "./rules.ts";

/** The opened session: the earlier one, a new one, or a new one because the earlier one is gone. */
export interface Opened {
  readonly sessionId: string;
  readonly past: "none" | "loaded" | "lost";
  /** Why the earlier one was lost. */
  readonly reason: string;
}

/** Opens a session. Rejects with a sentence for a person. */
export async function openSession(api: Api, known: string | null): Promise<Opened> {
  const found = known === null ? null : await api.get(`/session/${encodeURIComponent(known)}`);
  if (known !== null && found?.status === 200) return { sessionId: known, past: "loaded", reason: "" };
  if (found !== null && found.status !== 404 && found.status !== 400) {
    throw new Error(`OpenCode did not open its earlier conversation: ${wordsOf(found)}`);
  }
  const made = await api.post("/session", {});
  const session = Session.safeParse(made.data).data;
  if (session === undefined) throw new Error(`OpenCode started no conversation: ${wordsOf(made)}`);
  return {
    sessionId: session.id,
    past: found === null ? "none" : "lost",
    reason: found === null ? "" : wordsOf(found),
  };
}

/** A model in the server's notation. */
export interface Model {
  readonly providerID: string;
  readonly modelID: string;
}

/** Finds the configured model among those offered. */
export async function findModel(api: Api, wanted: string): Promise<Model> {
  const { providers } = Providers.parse((await api.get("/config/providers")).data);
  const offered = providers.flatMap(({ id, models }) =>
    Object.keys(models).map((modelID): Model => ({ providerID: id, modelID })),
  );
  const nameOf = ({ providerID, modelID }: Model): string => `${providerID}/${modelID}`;
  const found = offered.find((one) => nameOf(one) === wanted) ?? offered.find(({ modelID }) => modelID === wanted);
  if (found !== undefined) return found;
  const names = offered.slice(0, 12).map(nameOf).join(", ") || "none: no model service is set up";
  throw new Error(`OpenCode has no model ${wanted}: it offers ${names}. Change \`agentConfig.model\`.`);
}

/** The user's own permission entries. Rejects if the configuration is invalid. */
export async function readRules(api: Api): Promise<readonly OwnRule[]> {
  const answer = await api.get("/config");
  if (answer.status !== 200) throw new Error(`OpenCode does not start: ${wordsOf(answer)}`);
  return readOwnRules(Config.parse(answer.data).permission);
}
