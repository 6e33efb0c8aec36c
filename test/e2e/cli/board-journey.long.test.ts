import { expect, it } from "vitest";
import type { SessionDetailView } from "../../../src/protocol/views/session.ts";
import { git } from "../../../src/testing/git-repo.ts";
import { makeFleet } from "../../support/fleet.ts";
import { expectToFit, hasTmux, openPane } from "../../support/pane.ts";
import { until } from "../../support/until.ts";
import { main } from "./shell.ts";

const PERMISSION = {
  kind: "permission",
  question: "The agent wants to run",
  detail: { format: "command", text: "echo tidy up\nrm -f license" },
  choices: ["allow", "deny"],
};

it.skipIf(!hasTmux)(
  "a person does everything on the board: answer, message, diff, approve, merge, stop, restore, new",
  async () => {
    const fleet = await makeFleet();
    await fleet.start();
    await fleet.write("POST", "/api/projects", { path: fleet.repo });
    const start = (title: string, prompt: string) =>
      fleet.write<SessionDetailView>("POST", "/api/sessions", { projectId: "demo", title, prompt });
    await start("Tidy up", `!pose ${JSON.stringify(PERMISSION)}`);
    await start("Add a greeting", "!write hello.txt hello\n!commit Add a greeting");
    await start("Long work", "!note Bash: make all\n!hang");
    const heard = (id: string) => fleet.diary(id).flatMap(({ text, choice }) => text ?? choice ?? []);

    const env = { AO_HOME: fleet.home, AO_PORT: "0", GIT_CONFIG_GLOBAL: "/dev/null" };
    const command = `'${process.execPath}' '${main}'; echo "left with $?"; exec sleep 100`;
    const pane = openPane({ dir: fleet.dir, cwd: fleet.repo, columns: 100, rows: 30, env, command });
    await pane.see(/3 sessions · 2 need you · 1 working/);
    await pane.see(/▌ \? permission +demo-tidy +Tidy up +wants to run/);
    await pane.see(/● working +demo-long +Long work +Bash: make all/);
    expectToFit(pane.rows(), 100, 30);

    pane.press("a");
    await pane.see(/│ echo tidy up\n │ rm -f license/);
    pane.press("1", "Enter");
    await pane.see(/Answered demo-tidy-up: allow/);
    await until("the answer", () => heard("demo-tidy-up").includes("allow"));

    pane.press("/");
    pane.type("greeting");
    pane.press("Enter");
    await pane.see(/▌ ◉ needs review/);
    pane.press("d");
    await pane.see(/\+hello/);
    pane.press("q");
    pane.press("p");
    await pane.see(/Approved #1/);
    await pane.see(/▌ ✓ ready to merge/);
    pane.press("M");
    await pane.see(/Merge #1 into main\?/);
    pane.press("y");
    await pane.see(/Merged #1|Merge of #1 requested/);
    await until("the merge", () => git(fleet.repo, "show", "main:hello.txt").includes("hello"));

    pane.press("Escape");
    await pane.gone(/\/greeting \(/);
    pane.press("/");
    pane.type("long");
    pane.press("Enter");
    await pane.see(/▌ ● working +demo-long/);
    pane.press("m");
    pane.type("hurry up");
    pane.press("Enter");
    await pane.see(/Message to demo-long-work queued/);
    pane.press("Enter");
    await pane.see(/transcript {2}Long work[\s\S]*make all/);
    pane.press("q");
    pane.press("s", "y");
    await pane.see(/Stopped demo-long-work/);
    pane.press("v");
    await pane.see(/▌ – stopped +demo-long/);
    pane.press("R");
    await pane.see(/Restoring demo-long-work/);
    await until(
      "the session to be open again",
      async () => (await fleet.session("demo-long-work")).status !== "stopped",
    );

    pane.press("Escape");
    await pane.gone(/\/long \(/);
    pane.press("n");
    await pane.see(/new task in demo: ▏/);
    pane.type("One more");
    pane.press("Enter");
    await pane.see(/Started demo-one-more/);
    await until("the task", () => heard("demo-one-more").includes("One more"));
    pane.press("q");
    await pane.see(/left with 0/);
    expect(pane.ask("#{alternate_on}")).toBe("0");
  },
);
