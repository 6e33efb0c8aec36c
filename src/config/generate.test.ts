import { describe, expect, test } from "vitest";
import { renderInitialConfig } from "./generate.ts";
import { listNotInEffect } from "./in-effect.ts";
import { parseConfig } from "./parse.ts";

const detected = {
  projectId: "my-app",
  path: "~/my-app",
  defaultBranch: "main",
  agent: { name: "claude-code", permissions: "edits", allow: ["git commit *", "npm test"] },
} as const;

describe("the first file", () => {
  test("says what was detected, and all of it is in effect", () => {
    const { written } = parseConfig(renderInitialConfig(detected), "f.yaml", { env: {} });
    expect(written).toEqual({
      $schema: expect.stringContaining("config.schema.json"),
      projects: {
        "my-app": {
          path: "~/my-app",
          defaultBranch: "main",
          agent: "claude-code",
          agentConfig: { permissions: "edits", allow: ["git commit *", "npm test"] },
        },
      },
    });
    expect(listNotInEffect(written)).toEqual([]);
  });

  test("explains the permissions that it gives", () => {
    expect(renderInitialConfig(detected)).toContain("anything else, such as git push");
  });

  test("decides nothing for an agent that cannot ask", () => {
    const text = renderInitialConfig({ ...detected, agent: { name: "cursor", permissions: null, allow: [] } });
    const { projects } = parseConfig(text, "f.yaml", { env: {} }).written;
    expect(projects?.["my-app"]).toMatchObject({ agent: "cursor" });
    expect(projects?.["my-app"]).not.toHaveProperty("agentConfig");
  });

  test("leaves out what was not detected", () => {
    const text = renderInitialConfig({ projectId: "a", path: "." });
    expect(parseConfig(text, "f.yaml", { env: {} }).written).toMatchObject({ projects: { a: { path: "." } } });
    expect(text).not.toMatch(/null|undefined|defaults:/);
  });

  test.each(["/tmp/with space: and # signs", "~", "null", "/tmp/'quoted\"", "/tmp/new\nline", "/tmp/ünï"])(
    "holds the path %j",
    (path) => {
      const { written } = parseConfig(renderInitialConfig({ projectId: "42", path }), "f.yaml", { env: {} });
      expect(written.projects?.["42"]?.path).toBe(path);
    },
  );

  test.each([
    "https://github.com/octo/app.git",
    "https://user:secret@github.com/octo/app",
    "git@github.com:octo/app.git",
    "ssh://git@github.com/octo/app.git",
  ])("offers the issues on GitHub of %j, valid once the # is removed", (remote) => {
    const text = renderInitialConfig({ ...detected, remote });
    expect(parseConfig(text, "f.yaml", { env: {} }).written.projects?.["my-app"]).not.toHaveProperty("tracker");
    const opened = text.replace(/^( *)# (repo:|tracker:)/gm, "$1$2");
    const { written } = parseConfig(opened, "f.yaml", { env: {} });
    expect(written.projects?.["my-app"]).toMatchObject({ repo: "octo/app", tracker: "github" });
    expect(listNotInEffect(written)).toEqual([]);
    expect(text).not.toContain("secret");
  });

  test.each(["https://gitlab.com/octo/app.git", "/srv/git/app.git", "https://github.com.evil.example/octo/app"])(
    "offers none for %j",
    (remote) => {
      expect(renderInitialConfig({ ...detected, remote })).not.toContain("tracker");
    },
  );

  test("recommends policies that are valid once their # is removed", () => {
    const text = renderInitialConfig(detected);
    const opened = text.replace(/^# (policies:| {2}.*)$/gm, "$1");
    const { written } = parseConfig(opened, "f.yaml", { env: {} });
    expect(written.policies).toMatchObject({ approvals: 1, blockLabels: ["hold", "needs-design"] });
    expect(listNotInEffect(written)).toEqual([]);
    expect(parseConfig(text, "f.yaml", { env: {} }).written.policies).toBeUndefined();
  });
});
