import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Host, HostFs } from "../../../ports/host.ts";
import type { Scm } from "../../../ports/scm.ts";
import { openScmFixture } from "../../../testing/scm-fixture.ts";
import { localScm } from "./local.ts";

/** A host on which something happens right before a file is moved or removed, later than any look at it. */
function hostWith(host: Host, before: (path: string) => void): Host {
  const onTarget = (from: string, to: string): void => {
    before(from);
    before(to);
  };
  const fs: HostFs = {
    ...host.fs,
    remove: (path) => {
      before(path);
      return host.fs.remove(path);
    },
    rename: (from, to) => {
      onTarget(from, to);
      return host.fs.rename(from, to);
    },
    moveNew: (from, to) => {
      onTarget(from, to);
      return host.fs.moveNew(from, to);
    },
  };
  return { ...host, fs };
}

/** A checkout of main in which a person saves these files, each at the last moment before `ao` touches it. */
function openCheckout(
  saves: Readonly<Record<string, { readonly text: string; readonly after?: string }>>,
  wrap: (host: Host) => Host = (host) => host,
) {
  const saved = new Set<string>();
  let reopen: (() => Scm) | undefined;
  const fixture = openScmFixture(
    (host, home) => {
      reopen = () => localScm.create({}, host, { home, projectPath: "" });
      return localScm.create(
        {},
        hostWith(wrap(host), (touched) => {
          for (const [path, { text, after }] of Object.entries(saves)) {
            if (touched !== join(fixture.repo, path) || saved.has(path)) continue;
            if (after !== undefined && !saved.has(after)) continue;
            saved.add(path);
            writeFileSync(touched, text);
          }
        }),
        { home, projectPath: "" },
      );
    },
    { files: { "old.txt": "old\n" } },
  );
  return {
    ...fixture,
    /** The plugin of the next daemon. */
    reopen: (): Scm => reopen?.() ?? fixture.scm,
    read: (path: string): string => readFileSync(join(fixture.repo, path), "utf8"),
  };
}

/** The machine stops: nothing reaches the disk any more. */
class Dead extends Error {}

/** A host that dies once, right after a file was moved into a folder with this name. */
function hostThatDies(host: Host, folder: string): Host {
  let isDead = false;
  const fs = Object.fromEntries(
    Object.entries(host.fs).map(([name, call]) => [
      name,
      async (...args: readonly unknown[]) => {
        if (isDead) throw new Dead();
        const answer = await (call as (...given: readonly unknown[]) => unknown)(...args);
        isDead = name === "rename" && String(args[1]).includes(`/${folder}/`);
        return answer;
      },
    ]),
  );
  return { ...host, fs: { ...(fs as unknown as HostFs), watch: host.fs.watch } };
}

it("keeps what a person saves while files are taken back and the machine stops", async () => {
  const saves = { "b.txt": { text: "in the way\n" }, "a.txt": { text: "mine now\n", after: "b.txt" } };
  const { request, scm, read, reopen } = openCheckout(saves, (host) => hostThatDies(host, "dropped"));
  const wanted = await request({ "a.txt": "theirs\n", "b.txt": "theirs\n" }, { number: 1, strategy: "squash" });
  await expect(scm.merge(wanted)).rejects.toThrow();
  expect(await reopen().reconcileMerge(wanted)).toMatchObject({ kind: "not-done" });
  expect([read("a.txt"), read("b.txt")]).toEqual(["mine now\n", "in the way\n"]);
});

it("keeps a file that a person creates at the moment in which a merge adds it", async () => {
  const { request, scm, read } = openCheckout({ "new.txt": { text: "mine\n" } });
  const answer = await scm.merge(await request({ "new.txt": "theirs\n" }, { number: 1, strategy: "squash" }));
  expect(answer).toMatchObject({ kind: "waits", files: ["new.txt"] });
  expect(read("new.txt")).toBe("mine\n");
});

it("keeps what a person saves into files of a merge at the moment in which they are taken back", async () => {
  const { request, scm, read } = openCheckout({
    "b.txt": { text: "in the way\n" },
    "a.txt": { text: "mine now\n", after: "b.txt" },
    "old.txt": { text: "mine too\n", after: "b.txt" },
  });
  const change = { "a.txt": "theirs\n", "b.txt": "theirs\n", "old.txt": "theirs\n" };
  const answer = await scm.merge(await request(change, { number: 1, strategy: "squash" }));
  expect(answer.kind).toBe("waits");
  expect([read("a.txt"), read("b.txt"), read("old.txt")]).toEqual(["mine now\n", "in the way\n", "mine too\n"]);
});
