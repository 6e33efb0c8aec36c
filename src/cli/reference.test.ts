import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { renderCliReference } from "./reference.ts";

it("docs/user/cli.md matches the commands; `npm run docs` writes it", async () => {
  const page = readFileSync(new URL("../../docs/user/cli.md", import.meta.url), "utf8");
  expect(page).toBe(await renderCliReference());
});
