import { describe, expect, it } from "vitest";
import { pickEnvironment, reasonToPass } from "./environment.ts";

/** Variables that people keep secrets in, and that no list of secret names would catch. */
const SECRETS = [
  ...["SLACK_WEBHOOK_URL", "DISCORD_WEBHOOK_URL", "MYSQL_PWD", "GH_PAT", "GITHUB_PAT", "GPG_PASSPHRASE", "SSH_KEY"],
  ...["DEPLOY_KEY", "SIGNING_KEY", "ENCRYPTION_KEY", "STRIPE_KEY", "OPENAI_KEY", "JWT", "CI_JOB_JWT", "AUTH_BEARER"],
  ...["SESSION_COOKIE", "NPM_AUTH", "DOCKER_AUTH_CONFIG", "DATABASE_URL", "REDIS_URL", "SENTRY_DSN", "SMTP_PASS"],
  ...["AZURE_STORAGE_CONNECTION_STRING", "ANSIBLE_VAULT_PASS", "MAIL_PW", "AWS_SECRET_ACCESS_KEY", "ANTHROPIC_API_KEY"],
];

/** Variables that redirect git, node or ao. */
const STEERING = [
  ...["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_EXTERNAL_DIFF"],
  ...["GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_PROXY_COMMAND"],
  ...[
    "NODE_OPTIONS",
    "TMUX",
    "TMUX_PANE",
    "AO_HOME",
    "AO_TOKEN",
    "AO_PORT",
    "LD_PRELOAD",
    "BASH_ENV",
    "npm_lifecycle_event",
  ],
];

describe("the environment of programs that ao starts", () => {
  it.each([...SECRETS, ...STEERING])("has no %s", (name) => {
    expect(reasonToPass(name, "x")).toBeNull();
  });

  it.each([
    ["PATH", "shell"],
    ["LC_ALL", "shell"],
    ["XDG_CONFIG_HOME", "shell"],
    ["SSH_AUTH_SOCK", "shell"],
    ["NODE_EXTRA_CA_CERTS", "network"],
    ["JAVA_HOME", "toolchain"],
    ["GIT_CONFIG_GLOBAL", "git"],
  ])("has %s, as part of the %s", (name, reason) => {
    expect(reasonToPass(name, "x")).toBe(reason);
  });

  it("has a proxy URL, unless it contains a password", () => {
    expect(pickEnvironment({ HTTPS_PROXY: "http://proxy:3128", HTTP_PROXY: "http://me:hunter2@proxy:3128" })).toEqual({
      HTTPS_PROXY: "http://proxy:3128",
    });
  });
});
