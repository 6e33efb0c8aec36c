import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { ProjectConfig } from "../config/config.ts";
import { createNodeHost } from "../platform/host.ts";
import { createSilentLog } from "../platform/log.ts";
import { tempDir } from "../testing/temp.ts";
import { requireRules } from "./brief.ts";

it("refuses a project whose rules cannot be read, with the file and what to do", async () => {
  const host = createNodeHost({ log: createSilentLog() });
  const agentRulesFile = join(tempDir(), "RULES.md");
  const config = { agentRulesFile } as ProjectConfig;
  await expect(requireRules(host, config)).rejects.toMatchObject({
    code: "config-invalid",
    message: `agentRulesFile was not found: ${agentRulesFile}`,
  });
  writeFileSync(agentRulesFile, "Use tabs.");
  await requireRules(host, config);
  await requireRules(host, undefined);
});
