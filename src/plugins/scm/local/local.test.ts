import type { Host } from "../../../ports/host.ts";
import type { Scm } from "../../../ports/scm.ts";
import { describeScmContract } from "../../../testing/contracts/scm.contract.ts";
import { git } from "../../../testing/git-repo.ts";
import { openScmFixture, type ScmFixture } from "../../../testing/scm-fixture.ts";
import { localScm } from "./local.ts";

function make(host: Host, home: string): Scm {
  return localScm.create({}, host, { home, projectPath: "" });
}

function openElsewhere(): ScmFixture {
  const fixture = openScmFixture(make, { folder: 'a repo: "quoted" 日本' });
  git(fixture.repo, "switch", "-q", "-c", "work-of-a-person");
  return fixture;
}

describeScmContract({ name: "local, main checked out", create: () => openScmFixture(make) });
describeScmContract({ name: "local, main checked out nowhere", create: openElsewhere });
