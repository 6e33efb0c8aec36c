import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { openActionsBed } from "../../test/support/actions-bed.ts";
import { factsOf } from "../core/project/state.ts";
import { tempDir } from "../testing/temp.ts";
import { watchConfig } from "./watch-config.ts";

/** A project whose file is watched; `write` sets its name there, `nameInForce` is the one that is in force. */
async function watchedProject() {
  const { bed, kernel } = await openActionsBed();
  const { fs } = kernel.host;
  const { view } = bed.engine.loop.world;
  const project = view.project("demo") ?? expect.unreachable("there is no project");
  const file = join(tempDir(), "agent-orchestrator.yaml");
  await fs.makeDir(dirname(file));
  await fs.makeDir("/home");
  await fs.writeText(file, "");
  await bed.submit({ type: "project.register", isUpdate: true, ...factsOf(project), configFile: file });
  const write = async (name: string, target = file): Promise<void> => {
    // Its text is read from the disk; the watch and the time of its change are the bed's.
    writeFileSync(file, `projects: { demo: { path: ${project.path}, name: ${name} } }\n`);
    await fs.writeText(target, name);
  };
  const watch = (target = file): void => {
    const realPath = async (path: string): Promise<string | null> => fs.realPath(path === file ? target : path);
    onTestFinished(watchConfig({ ...kernel, host: { ...kernel.host, fs: { ...fs, realPath } } }));
  };
  return { bed, fs, file, write, watch, nameInForce: () => view.project("demo")?.name };
}

it("applies a changed file, however often other files beside it change", async () => {
  const { bed, fs, file, write, watch, nameInForce } = await watchedProject();
  watch();
  await write("Shop");
  for (const other of ["/home/ao.db-wal", join(dirname(file), "build.log"), "/home/ao.db-wal"]) {
    await bed.advance(100);
    await fs.writeText(other, "x");
  }
  await vi.waitFor(() => expect(nameInForce()).toBe("Shop"));
});

it("applies a file that is changed in several steps once, after the last", async () => {
  const { bed, write, watch, nameInForce } = await watchedProject();
  watch();
  await write("Sho");
  await bed.advance(150);
  await write("Shop");
  await bed.advance(150);
  expect(nameInForce()).toBe("Demo");
  await bed.advance(50);
  await vi.waitFor(() => expect(nameInForce()).toBe("Shop"));
});

it("applies a changed file that the configured one links to", async () => {
  const { bed, fs, file, write, watch, nameInForce } = await watchedProject();
  const target = "/shared/ao.yaml";
  await fs.makeDir("/shared");
  await fs.writeText(target, "");
  await fs.remove(file);
  await fs.makeLink(target, file);
  watch(target);
  // The link is followed a moment after the watch began.
  await vi.waitFor(async () => {
    await write("Shop", target);
    await bed.advance(200);
    expect(nameInForce()).toBe("Shop");
  });
});
