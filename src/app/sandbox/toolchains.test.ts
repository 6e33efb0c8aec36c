import { describe, expect, it } from "vitest";
import { toolchainPaths, withoutSecrets } from "./toolchains.ts";

describe("what a check sees of a home folder", () => {
  const homes = ["/home/u"];

  it("has the programs on PATH with what they need, and never a whole home", () => {
    const PATH =
      "/home/u/bin:/home/u/.nvm/versions/node/v20/bin:/home/u/.local/bin:/home/u/.cargo/bin:/home/u:/usr/bin:rel";
    const paths = toolchainPaths({ PATH }, homes);
    expect(paths).toEqual(
      expect.arrayContaining(["/home/u/bin", "/home/u/.nvm/versions/node/v20", "/home/u/.local/bin"]),
    );
    for (const path of ["/home/u", "/home/u/.local", "/home/u/.cargo", "/home/u/.config", "/", "/home"]) {
      expect(paths).not.toContain(path);
    }
  });

  it("has what variables of toolchains name, except a folder that holds more", () => {
    const paths = toolchainPaths({ JAVA_HOME: "/home/u/jdk", PYENV_ROOT: "/home/u", VIRTUAL_ENV: "/" }, homes);
    expect(paths).toContain("/home/u/jdk");
    expect(paths).not.toContain("/home/u");
    expect(paths).not.toContain("/");
  });

  it("has settings without the lines that hold secrets", () => {
    const npmrc = "registry=https://npm.dev/\n//npm.dev/:_authToken=x\nproxy=http://u:p@proxy\nfund=false\n_password=x";
    expect(withoutSecrets(npmrc)).toBe("registry=https://npm.dev/\nfund=false");
    const git = "[user]\n\tname = A\n[credential]\n\thelper = store\n[http]\n\textraHeader = Authorization: x\n";
    expect(withoutSecrets(git)).toBe("[user]\n\tname = A\n[http]\n");
  });
});
