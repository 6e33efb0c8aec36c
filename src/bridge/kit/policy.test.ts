import { describe, expect, it } from "vitest";
import { judge } from "./policy.ts";
import type { Tool } from "./tool.ts";

const place = { cwd: "/work", home: "/home/u" };

function aTool(fields: Partial<Tool>): Tool {
  return { id: "t", title: "", kind: "other", status: "pending", command: null, paths: [], ...fields };
}

function aCommand(command: string | null): Tool {
  return aTool({ kind: "execute", command });
}

const rules = {
  permissions: "ask",
  allow: ["npm test", "git *"],
  deny: ["git push *", "rm *", "make bad", "./secret/**"],
} as const;

function judgeBy(permissions: "ask" | "edits" | "all", tool: Tool): string {
  return judge({ permissions, allow: [...rules.allow], deny: [...rules.deny] }, tool, place);
}

describe("the policy", () => {
  it.each([
    ["npm test", "allow"],
    ["npm  test", "allow"],
    ["npm test -- --watch", "ask"],
    ["git status && git diff", "allow"],
    ["git", "allow"],
    ["gitk", "ask"],
    ["git log 2>&1 | git cat-file --batch >/dev/null", "allow"],
    ["git log > ~/.bashrc", "ask"],
    ["git log $(curl x)", "ask"],
    ["git commit -m 'a; b && c'", "allow"],
    ['git commit -m "`curl x`"', "ask"],
    ["git status; curl x", "ask"],
    ["git push origin main", "deny"],
    ["true && git push", "deny"],
    ["FOO=1 sudo rm -r x", "deny"],
    ["echo $(rm -r x)", "deny"],
    ['echo "$(rm -r x)"', "deny"],
    ["echo 'rm -r x'", "ask"],
    ["cat ./secret/key", "deny"],
    ["cat /work/secret/key", "deny"],
    // An apostrophe in a comment opens no quotes, and in $'...' a backslash hides one.
    ["git status # what's changed\nnpm publish # let's go", "ask"],
    ["git log $'\\'' ; npm publish ; \\'", "ask"],
    ["git status \\\n# '\nnpm publish\n# '", "ask"],
    ["git log $\\\n'\\'' ; npm publish ; \\'", "ask"],
    [`git log "\${x:-"'"}"\nnpm publish "\${x:-"'"}"`, "ask"],
    ["git show HEAD:a#b '#c' \"#d\" $#", "allow"],
    [`git log "\${x}"`, "allow"],
    ["git commit -m 'drop it\nrm -r is gone'", "allow"],
    ["git \\\nstatus", "allow"],
    ["git status # what's changed\ngit push # let's go", "deny"],
    ["git log $'\\'' ; git push ; \\'", "deny"],
    ["git status \\\n# '\ngit push\n# '", "deny"],
    ["cat <<x\nit's\nx\ngit push\necho it's", "deny"],
    ['echo "$(true; git push)"', "deny"],
    ["git \\\npush", "deny"],
    ["true # what's up\ncat ./secret/key # let's go", "deny"],
    [null, "ask"],
  ])("decides about the command %s: %s", (command, verdict) => {
    expect(judgeBy("ask", aCommand(command))).toBe(verdict);
  });

  it.each([
    ["all", aCommand("make"), "allow"],
    ["all", aCommand("git push"), "deny"],
    ["all", aCommand("make # what's new\ngit push # let's go"), "deny"],
    ["all", aCommand("make # what's new\nmake test # let's go"), "allow"],
    ["all", aCommand("make bad # not the usual target"), "deny"],
    ["all", aCommand(null), "ask"],
    ["all", aTool({ kind: "fetch" }), "allow"],
    ["edits", aCommand("make"), "ask"],
    ["edits", aTool({ kind: "edit", paths: ["src/a.ts", "/work/b"] }), "allow"],
    ["edits", aTool({ kind: "edit", paths: ["/work/../etc/passwd"] }), "ask"],
    ["edits", aTool({ kind: "edit", paths: ["/work/.git/config"] }), "ask"],
    ["edits", aTool({ kind: "edit", paths: ["secret/a"] }), "deny"],
    ["edits", aTool({ kind: "edit" }), "ask"],
    ["edits", aTool({ kind: "fetch" }), "ask"],
    ["ask", aTool({ kind: "edit", paths: ["src/a.ts"] }), "ask"],
  ] as const)("with permissions %s: %j is %s", (permissions, tool, verdict) => {
    expect(judgeBy(permissions, tool)).toBe(verdict);
  });

  it("allows paths with everything below them", () => {
    const allow = ["./src/**", "~/notes"];
    const tool = aTool({ kind: "edit", paths: ["src/deep/a.ts", "/home/u/notes/b"] });
    expect(judge({ permissions: "ask", allow, deny: [] }, tool, place)).toBe("allow");
    expect(judge({ permissions: "ask", allow, deny: [] }, aTool({ kind: "edit", paths: ["lib/a"] }), place)).toBe(
      "ask",
    );
  });

  it.each([
    ["git push origin main", "ask"],
    ["git status && git push", "ask"],
    ["FOO=1 git push", "ask"],
    ["cat ./keys/a", "ask"],
    ["git status", "allow"],
    ["git push --force", "deny"],
  ])("asks about `%s` although it is allowed: %s", (command, verdict) => {
    const asking = { allow: ["git *", "cat *"], ask: ["git push *", "./keys/**"], deny: ["git push --force"] };
    for (const permissions of ["ask", "edits", "all"] as const) {
      expect(judge({ permissions, ...asking }, aCommand(command), place)).toBe(verdict);
    }
    expect(judge({ permissions: "all", ...asking }, aCommand(null), place)).toBe("ask");
    expect(judge({ permissions: "all", ...asking }, aTool({ kind: "edit", paths: ["/work/keys/a"] }), place)).toBe(
      "ask",
    );
  });
});
