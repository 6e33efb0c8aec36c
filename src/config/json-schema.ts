import { z } from "zod";
import { EVENT_TYPE } from "./schema/reaction-key.ts";
import { WrittenConfig } from "./schema.ts";

/** Where editors find the schema. */
export const SCHEMA_URL =
  "https://raw.githubusercontent.com/ComposioHQ/agent-orchestrator/main/schema/config.schema.json";

/** The JSON Schema of the configuration file, for completion in editors. */
export function toJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(WrittenConfig, { io: "input" });
  // Beside the known names only event types may stand; a rule says so, which the schema library does not see.
  const reactions = schema.$defs?.["Reactions"];
  if (reactions?.additionalProperties !== undefined) {
    reactions.patternProperties = { [EVENT_TYPE.source]: reactions.additionalProperties };
    reactions.additionalProperties = false;
  }
  return { $id: SCHEMA_URL, ...schema };
}

/** The text of `schema/config.schema.json`. */
export function renderJsonSchema(): string {
  return `${JSON.stringify(toJsonSchema(), null, 2)}\n`;
}
