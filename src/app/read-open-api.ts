import { readFileSync } from "node:fs";
import type { Api } from "../protocol/api.ts";

/** The generated API document; building it would load a library that nothing else needs. */
export function readOpenApi(): Api["GET /api/openapi.json"]["out"] {
  const file = new URL("../../schema/openapi.json", import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")) as Api["GET /api/openapi.json"]["out"];
}
