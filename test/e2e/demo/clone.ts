import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { root } from "../cli/shell.ts";

/** A fresh clone after its first build: the scripts, the first issues, and links to the packages and the build. */
export function makeBuiltClone(dir: string, issues = Number.POSITIVE_INFINITY): string {
  const clone = join(dir, "clone");
  for (const name of ["src", "web"]) mkdirSync(join(clone, name), { recursive: true });
  for (const name of ["scripts", "package.json", "package-lock.json", "tsconfig.build.json"]) {
    cpSync(join(root, name), join(clone, name), { recursive: true, preserveTimestamps: true });
  }
  for (const name of ["dist", "node_modules", "src/testing"]) symlinkSync(join(root, name), join(clone, name));
  mkdirSync(join(clone, "demo/issues"), { recursive: true });
  for (const name of readdirSync(join(root, "demo/issues")).filter((file) => Number.parseInt(file, 10) <= issues)) {
    cpSync(join(root, "demo/issues", name), join(clone, "demo/issues", name));
  }
  return clone;
}

/** A folder for PATH with every program of this machine's PATH but one. */
export function makePathWithout(dir: string, program: string): string {
  const bin = join(dir, "bin");
  mkdirSync(bin);
  // The first one wins, as on the PATH; a name may be a link to nothing.
  const seen = new Set([program]);
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    if (!existsSync(folder)) continue;
    for (const name of readdirSync(folder)) {
      if (!seen.has(name)) symlinkSync(join(folder, name), join(bin, name));
      seen.add(name);
    }
  }
  return bin;
}
