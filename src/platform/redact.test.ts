import { expect, it } from "vitest";
import { redactText } from "./redact.ts";

it.each([
  "ghp_0123456789abcdef",
  "glpat-0123456789abcdef",
  "lin_api_0123456789abcdef",
  "lin_oauth_0123456789abcdef",
  "ATATT3xFfGF0123456789abcdef",
])("replaces %s inside a text", (token) => {
  expect(redactText(`refused ${token}, sorry`)).toBe("refused [redacted], sorry");
});
