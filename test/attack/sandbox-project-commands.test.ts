import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { begin, hasBubblewrap, note, run, stage } from "../e2e/sandbox/stage.ts";
import { ao } from "../e2e/survival/ao.ts";
import { reach } from "../e2e/survival/session.ts";

describe.skipIf(!hasBubblewrap)(`an agent in a sandbox that writes what the project's commands start${note}`, () => {
  it("does not get postCreate to run it outside on a restore, nor preRemove when it is stopped", async () => {
    const { fleet } = await stage("bubblewrap", {
      postCreate: ["if test -f create.sh; then sh create.sh; fi; echo ready >ready"],
      preRemove: ["sh remove.sh"],
    });
    const { id } = await begin(fleet, "one");
    const marks = ["create", "remove"].map((name) => join(fleet.dir, `mark-${name}`));
    for (const name of ["create", "remove"]) {
      const script = `echo ran >/tmp/${name}; touch ${join(fleet.dir, `mark-${name}`)}; true`;
      await run(fleet, id, `echo ${Buffer.from(script).toString("base64")} | base64 -d >${name}.sh`);
    }
    await run(fleet, id, "git add -A && git -c user.name=a -c user.email=a@b.c commit -qm scripts && rm ready");
    await ao(fleet, "stop", id);
    await ao(fleet, "restore", id);
    await reach(fleet, id, "back", ({ run: now }) => now.n === 2 && now.state === "alive");
    expect(await run(fleet, id, "cat ready /tmp/create")).toBe("ready\nran");
    expect(marks.filter((path) => existsSync(path))).toEqual([]);
  });
});
