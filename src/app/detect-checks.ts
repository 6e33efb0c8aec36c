import { join } from "node:path";
import { detectChecks } from "../core/detect-checks.ts";
import type { Host } from "../ports/host.ts";

/** The checks detected from the files in a project's main checkout. */
export async function detectProjectChecks(
  host: Host,
  path: string,
): Promise<Readonly<Record<string, { readonly run: string }>>> {
  return detectChecks({
    names: await host.fs.list(path),
    packageJson: await host.fs.readText(join(path, "package.json")),
    makefile: await host.fs.readText(join(path, "Makefile")),
  });
}
