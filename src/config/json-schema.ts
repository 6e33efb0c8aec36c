import { z } from "zod";
import { EVENT_NAMES } from "./schema/reaction-key.ts";
import { WrittenConfig } from "./schema.ts";

/** Where editors find the schema. */
export const SCHEMA_URL =
  "https://raw.githubusercontent.com/ComposioHQ/agent-orchestrator/main/schema/config.schema.json";

/** The JSON Schema of the configuration file, for completion in editors. */
export function toJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(WrittenConfig, { io: "input" });
  // Besides the known names only event types are allowed; that is a refinement, which the schema library cannot export.
  const reactions = schema.$defs?.["Reactions"];
  if (reactions?.additionalProperties !== undefined) {
    const types = EVENT_NAMES.map((type) => type.replace(".", "\\."));
    reactions.patternProperties = { [`^(?:${types.join("|")})$`]: reactions.additionalProperties };
    reactions.additionalProperties = false;
  }
  return { $id: SCHEMA_URL, ...schema };
}

/** The text of `schema/config.schema.json`. */
export function renderJsonSchema(): string {
  return `${JSON.stringify(toJsonSchema(), null, 2)}\n`;
}
