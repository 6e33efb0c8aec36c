import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

type LockedPackages = Readonly<Record<string, LockedPackage>>;

const FIX =
  "pin a version whose platform packages the registry has (`npm view NAME@VERSION`), then `npm install --package-lock-only`";

/**
 * Platform packages that a dependency declares but the lockfile lacks. npm omits packages that a registry does not carry, and
 * `npm ci` then refuses the lockfile, or installs no program on the platforms that are left out.
 */
function findMissing(packages: LockedPackages): readonly string[] {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name, wanted]) => !isLocked(packages, { path, name, wanted }))
      .map(([name, wanted]) => `${nameOf(path)} needs ${name}@${wanted}, which the lockfile lacks: ${FIX}`),
  );
}

/** Is there an entry where Node would look, from `path` upwards, with exactly that version unless it is a range? */
function isLocked(packages: LockedPackages, need: { path: string; name: string; wanted: string }): boolean {
  for (let folder: string | null = need.path; folder !== null; folder = parentOf(folder)) {
    const found = packages[`${folder === "" ? "" : `${folder}/`}node_modules/${need.name}`];
    if (found !== undefined) return !/^\d/.test(need.wanted) || found.version === need.wanted;
  }
  return false;
}

function parentOf(path: string): string | null {
  if (path === "") return null;
  const end = path.lastIndexOf("/node_modules/");
  return end === -1 ? "" : path.slice(0, end);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
}

function readJson<Shape>(name: string): Shape {
  return JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), "utf8")) as Shape;
}

const { packages } = readJson<{ packages: LockedPackages }>("package-lock.json");

describe("package-lock.json", () => {
  it("has the packages of every platform, so that `npm ci` accepts it", () => {
    expect(findMissing(packages)).toEqual([]);
  });

  it("locks what package.json requires", () => {
    const { dependencies, devDependencies } = readJson<LockedPackage>("package.json");
    expect(packages[""], "run `npm install --package-lock-only`").toMatchObject({ dependencies, devDependencies });
  });

  it("has a checksum for each package and no registry URL", () => {
    const installed = Object.entries(packages).filter(([path]) => path !== "");
    expect(installed.filter(([, { integrity }]) => integrity === undefined).map(([path]) => path)).toEqual([]);
    expect(installed.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
  });
});

describe("findMissing", () => {
  const tool = {
    version: "2.0.0",
    optionalDependencies: { "@tool/linux-x64": "2.0.0", "@tool/darwin-arm64": "2.0.0" },
  };

  it("lists each platform package that is missing or has another version, and says what to do", () => {
    const found = findMissing({
      "node_modules/tool": tool,
      "node_modules/@tool/linux-x64": { version: "1.9.0" },
    });
    expect(found).toEqual([
      `tool needs @tool/linux-x64@2.0.0, which the lockfile lacks: ${FIX}`,
      `tool needs @tool/darwin-arm64@2.0.0, which the lockfile lacks: ${FIX}`,
    ]);
  });

  it("finds packages next to and below their dependent, and accepts ranges", () => {
    const found = findMissing({
      "node_modules/a/node_modules/tool": tool,
      "node_modules/a/node_modules/@tool/linux-x64": { version: "2.0.0" },
      "node_modules/@tool/darwin-arm64": { version: "2.0.0" },
      "node_modules/b": { version: "1.0.0", optionalDependencies: { "@tool/darwin-arm64": "~2.0.0" } },
    });
    expect(found).toEqual([]);
  });
});
