import { appendFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { homePaths } from "../protocol/home.ts";
import type { AuditRecord } from "../server/audit.ts";
import { createFakeClock } from "../testing/fake-clock.ts";
import { tempDir } from "../testing/temp.ts";
import { createAuditFile } from "./audit-file.ts";

const DONE: AuditRecord = {
  by: { kind: "owner", name: "socket" },
  call: "POST /api/pause",
  outcome: "done",
  status: 200,
  code: null,
};
const REFUSED: AuditRecord = {
  by: { kind: "unknown", name: "" },
  call: "POST /api/shutdown",
  outcome: "refused",
  status: 401,
  code: "unauthorized",
};

function anAudit() {
  const home = tempDir();
  const paths = homePaths({ env: { AO_HOME: home }, userHome: home, uid: 1, cwd: home });
  mkdirSync(dirname(paths.audit), { recursive: true });
  const clock = createFakeClock(1000);
  return { paths, clock, audit: createAuditFile(paths, clock), again: () => createAuditFile(paths, clock) };
}

describe("the audit", () => {
  it("has every write, newest first, even after a restart", () => {
    const { audit, clock, again } = anAudit();
    audit.record(DONE);
    audit.record(REFUSED);
    clock.set(2000);
    audit.record({ ...DONE, call: "POST /api/resume" });
    expect(again().read()).toMatchObject([
      { call: "POST /api/resume", at: "1970-01-01T00:00:02.000Z" },
      { call: "POST /api/shutdown" },
      { call: "POST /api/pause" },
    ]);
    expect(new Set(audit.read().map(({ id }) => id)).size).toBe(3);
  });

  it("keeps what was done, however many requests are refused", () => {
    const { audit, paths } = anAudit();
    audit.record(DONE);
    const flood = `${"x".repeat(5 * 1024 * 1024)}\n`;
    for (let n = 0; n < 3; n += 1) {
      appendFileSync(paths.auditRefused, flood);
      audit.record(REFUSED);
    }
    expect(audit.read().filter(({ outcome }) => outcome === "done")).toHaveLength(1);
  });

  it("survives a line that a crash cut off", () => {
    const { audit, paths } = anAudit();
    audit.record(DONE);
    appendFileSync(paths.audit, '{"id":"1');
    audit.record(DONE);
    expect(audit.read()).toHaveLength(2);
  });
});
