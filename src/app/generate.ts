import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { renderCliReference } from "../cli/reference.ts";
import { renderJsonSchema } from "../config/json-schema.ts";
import { renderReference } from "../config/reference.ts";
import { renderApiReference } from "../server/api-reference.ts";
import { createOpenApi } from "../server/openapi.ts";

/** Writes what is generated from code (`npm run docs`); tests compare it with the committed files. */
async function main(): Promise<void> {
  write("schema/config.schema.json", renderJsonSchema());
  write("docs/reference/config.md", renderReference());
  write("schema/openapi.json", `${JSON.stringify(createOpenApi(), null, 2)}\n`);
  write("docs/reference/api.md", renderApiReference());
  write("docs/user/cli.md", await renderCliReference());
}

function write(path: string, text: string): void {
  const file = fileURLToPath(new URL(`../../${path}`, import.meta.url));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

await main();
