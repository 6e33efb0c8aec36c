import { expect, test } from "vitest";
import { missingError } from "./missing.ts";
import { parseConfig } from "./parse.ts";

const TEXT = "projects:\n  a: { path: x, env: { T: '$A', U: '$B' } }\n  ab: { path: y, env: { T: '$C' } }\n";
const { missing } = parseConfig(TEXT.replaceAll(/\$(\w)/g, "$${$1}"), "f.yaml", { env: { B: "set" } });

test("using a value without its variable reports its place and name", () => {
  expect(missingError(missing, ["projects", "a", "env"])).toMatchObject({
    code: "config-invalid",
    message: "projects.a.env.T: the environment variable A must be set",
  });
});

test("using values with all variables set is no error, even next to missing ones", () => {
  expect(missingError(missing, ["projects", "a", "env", "U"])).toBeNull();
  expect(missingError(missing, ["projects", "a", "path"])).toBeNull();
});
