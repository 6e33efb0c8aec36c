import type { Host } from "../../../ports/host.ts";
import type { Scm } from "../../../ports/scm.ts";
import { describeScmContract } from "../../../testing/contracts/scm.contract.ts";
import { git } from "../../../testing/git-repo.ts";
import { openScmBench, type ScmBench } from "../../../testing/scm-bench.ts";
import { localScm } from "./local.ts";

function make(host: Host, home: string): Scm {
  return localScm.create({}, host, { home, projectPath: "" });
}

function openElsewhere(): ScmBench {
  const bench = openScmBench(make, { folder: 'a repo: "quoted" 日本' });
  git(bench.repo, "switch", "-q", "-c", "work-of-a-person");
  return bench;
}

describeScmContract({ name: "local, main checked out", create: () => openScmBench(make) });
describeScmContract({ name: "local, main checked out nowhere", create: openElsewhere });
