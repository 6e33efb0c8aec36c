import { describe, expect, it } from "vitest";
import { type Box, composeBubblewrap } from "./bubblewrap.ts";

function compose(change: Partial<Box>): string {
  const box: Box = { rules: [], network: "all", cwd: "/w", environment: {}, told: "/run-folder/sandbox", ...change };
  return composeBubblewrap(box).join(" ");
}

describe("the words of bubblewrap", () => {
  it("come parents first, whatever the order of the rules, so that the deeper one wins", () => {
    const words = compose({
      rules: [
        { path: "/h/repo/.git/config", as: "read" },
        { path: "/h/repo/.git", as: "write" },
        { path: "/tmp", as: "write", from: "/h/ao/sessions/s/tmp" },
        { path: "/h/ao/sessions/s/bridge", as: "write" },
        { path: "/h/ao", as: "hidden" },
        { path: "/h", as: "read" },
      ],
    });
    expect(words.slice(words.indexOf("--bind /h/ao/sessions/s/tmp"), words.indexOf(" --chdir"))).toBe(
      [
        "--bind /h/ao/sessions/s/tmp /tmp --ro-bind /h /h --tmpfs /h/ao --bind /h/repo/.git /h/repo/.git",
        "--ro-bind /h/repo/.git/config /h/repo/.git/config --bind /h/ao/sessions/s/bridge /h/ao/sessions/s/bridge",
      ].join(" "),
    );
  });

  it("let the stricter word win at the same path", () => {
    const words = compose({
      rules: [
        { path: "/h/ao", as: "hidden" },
        { path: "/h/ao", as: "write" },
      ],
    });
    expect(words.indexOf("--tmpfs /h/ao")).toBeGreaterThan(words.indexOf("--bind /h/ao /h/ao"));
  });

  it("cut the network only when asked", () => {
    expect(compose({ network: "none" })).toContain("--unshare-net");
    expect(compose({})).not.toContain("--unshare-net");
  });

  it("give up every capability, and share processes and the terminal with the outside", () => {
    expect(compose({})).toContain("--unshare-user --unshare-ipc --cap-drop ALL --die-with-parent");
    expect(compose({})).not.toMatch(/--unshare-pid|--new-session|--unshare-all/);
  });
});
