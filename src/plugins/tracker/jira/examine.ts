import { z } from "zod";
import { AoError } from "../../../core/errors.ts";
import type { Host } from "../../../ports/host.ts";
import type { Tracker } from "../../../ports/tracker.ts";
import { requireAccess } from "../../../providers/jira/address.ts";
import type { Access } from "./read.ts";
import { Person, Status } from "./record.ts";

const Project = z.object({ key: z.string(), name: z.string() });
const Statuses = z.array(z.object({ statuses: z.array(Status) }));

/** Does the token work, does the project exist, and do its workflows have the configured statuses? */
export async function examineAccess(
  host: Host,
  { client, config }: Access,
): ReturnType<NonNullable<Tracker["examine"]>> {
  try {
    const { baseUrl, source } = requireAccess(host, config.baseUrl);
    const me = await client.ask({ method: "GET", path: "/myself", answer: Person });
    const path = `/project/${config.project}`;
    const { key } = await client.ask({ method: "GET", path, answer: Project });
    const types = await client.ask({ method: "GET", path: `${path}/statuses`, answer: Statuses });
    const names = [...new Set(types.flatMap(({ statuses }) => statuses.map(({ name }) => name)))];
    const known = names.map((name) => name.toLowerCase());
    const missing = Object.values(config.states).find(
      (name) => name !== undefined && !known.includes(name.toLowerCase()),
    );
    if (missing !== undefined) {
      const fix = `Change \`states\` of the tracker, unless it is the name of a transition; there are ${names.join(", ")}.`;
      return { state: "warn", text: `project ${key} has no status ${missing}`, fix };
    }
    const who = me.displayName ?? me.name ?? "unknown";
    return { state: "ok", text: `project ${key} on ${new URL(baseUrl).host} as ${who}, token of ${source}`, fix: null };
  } catch (error) {
    if (!(error instanceof AoError)) throw error;
    return { state: "fail", text: error.message, fix: error.hint ?? null };
  }
}
