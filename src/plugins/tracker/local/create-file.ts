import { join } from "node:path";
import { AoError } from "../../../core/errors.ts";
import type { Host } from "../../../ports/host.ts";
import { numberedFiles } from "./folder.ts";
import { slugOfTitle } from "./id.ts";

const MAX_ATTEMPTS = 10_000;

/**
 * Writes a new issue's file under the next free number and returns the number. An exclusive folder holds a number while
 * its file is written, and the number is checked again under that hold: creators in several processes never share one.
 * A crash leaves at worst an empty hidden folder, and that number stays unused.
 */
export async function createFile(
  host: Host,
  folder: string,
  { title, text }: { readonly title: string; readonly text: string },
): Promise<string> {
  for (let attempt = 0, next = 1; attempt < MAX_ATTEMPTS; attempt += 1, next += 1) {
    next = Math.max(next, (numberedFiles(await host.fs.list(folder)).at(-1)?.number ?? 0) + 1);
    const hold = join(folder, `.${next}.hold`);
    if (!(await host.fs.makeDir(hold, { exclusive: true }))) continue;
    try {
      if (await isTaken(host, folder, next)) continue;
      await host.fs.writeText(join(folder, `${next}-${slugOfTitle(title)}.md`), text);
      return String(next);
    } finally {
      await host.fs.remove(hold);
    }
  }
  throw new AoError({ code: "conflict", message: `No free issue number was found in ${folder}.` });
}

async function isTaken(host: Host, folder: string, number: number): Promise<boolean> {
  return numberedFiles(await host.fs.list(folder)).some((file) => file.number === number);
}
