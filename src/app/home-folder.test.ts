import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { homePaths } from "../protocol/home.ts";
import { interleave } from "../testing/interleave.ts";
import { tempDir } from "../testing/temp.ts";
import { prepareHome } from "./home-folder.ts";

test("prepares AO_HOME while another daemon prepares it too", () => {
  const home = join(tempDir(), "home");
  const paths = homePaths({ env: { AO_HOME: home }, userHome: home, uid: 0, cwd: "/" });
  const prepare = (): void => prepareHome(paths);
  expect(() => interleave("writeFileSync", prepare, prepare)).not.toThrow();
  expect(readdirSync(home).filter((name) => name.includes("write-test"))).toEqual([]);
});
