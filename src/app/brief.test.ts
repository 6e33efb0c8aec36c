import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { ProjectConfig } from "../config/config.ts";
import { createNodeHost } from "../platform/host.ts";
import { createSilentLog } from "../platform/log.ts";
import { tempDir } from "../testing/temp.ts";
import { requireRules } from "./brief.ts";

it("rejects a project with unreadable rules, naming the file and the fix", async () => {
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
