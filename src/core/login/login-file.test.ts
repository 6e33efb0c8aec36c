import { expect, it } from "vitest";
import { admitLogin, type LoginFile } from "./login-file.ts";

const PLAIN: LoginFile = { name: "auth.json" };
const CLAUDE: LoginFile = { name: ".credentials.json", fields: ["claudeAiOauth"] };
const RECORDS: LoginFile = { name: "auth.json", records: { fields: ["type", "key"], types: ["api"] } };
const OPAQUE: LoginFile = { name: "secret", isOpaque: true };

it("takes a refreshed login as it was written", () => {
  const text = '{ "tokens": { "refresh": "r-23456789" } }\n';
  expect(admitLogin(PLAIN, text, '{"tokens":{"refresh":"r-12345678"}}')).toBe(text);
  expect(admitLogin(PLAIN, text, null)).toBe(text);
  expect(admitLogin(PLAIN, text, "not json")).toBe(text);
});

it("takes only the listed fields, and keeps the user's others", () => {
  const own = '{"claudeAiOauth":{"refreshToken":"r-12345678"},"pluginSecrets":{"a":"mine"}}';
  const changed = '{"claudeAiOauth":{"refreshToken":"r-23456789"},"pluginSecrets":{"a":"evil"},"evil":"evil-evil"}';
  expect(JSON.parse(admitLogin(CLAUDE, changed, own) ?? "")).toEqual({
    claudeAiOauth: { refreshToken: "r-23456789" },
    pluginSecrets: { a: "mine" },
  });
  expect(admitLogin(CLAUDE, '{"evil":"evil-evil"}', null)).toBeNull();
  expect(admitLogin(CLAUDE, '{"evil":"evil-evil"}', own)).toBe(own);
});

it("takes only records of the listed types, and of them only the listed fields", () => {
  const own = '{"a":{"type":"api","key":"k-12345678","metadata":{"x":"mine"}},"b":{"type":"wellknown","key":"B"}}';
  const changed = JSON.stringify({
    a: { type: "api", key: "k-23456789", metadata: { x: "evil" } },
    b: { type: "api", key: "evil-evil" },
    "https://evil.example": { type: "wellknown", key: "PATH", token: "/tmp/evil" },
    c: { type: "api", key: "k-34567890", enterpriseUrl: "evil.example" },
    d: "no record",
  });
  expect(JSON.parse(admitLogin(RECORDS, changed, own) ?? "")).toEqual({
    a: { type: "api", key: "k-23456789", metadata: { x: "mine" } },
    b: { type: "wellknown", key: "B" },
    c: { type: "api", key: "k-34567890" },
  });
});

it.each([
  ["nothing", ""],
  ["no JSON", "# a script\nrm -rf ~"],
  ["an empty object", "{}"],
  ["no object", '["a-long-enough-text"]'],
  ["no token", '{"a":1,"b":"short"}'],
  ["nesting", `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`],
  ["nesting beside a token", `{"t":"long-enough","a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`],
])("takes no login from %s", (_, text) => {
  expect(admitLogin(PLAIN, text, '{"a":"k-12345678"}')).toBeNull();
});

it("takes an encrypted text, and nothing else in its place", () => {
  expect(admitLogin(OPAQUE, "0123456789abcdef:ff00", null)).toBe("0123456789abcdef:ff00");
  expect(admitLogin(OPAQUE, "#!/bin/sh\nrm -rf ~\n", null)).toBeNull();
});
