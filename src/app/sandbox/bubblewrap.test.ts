import { describe, expect, it } from "vitest";
import { type Box, composeBubblewrap } from "./bubblewrap.ts";

function compose(change: Partial<Box>): string {
  const box: Box = { rules: [], network: "all", cwd: "/w", environment: {}, told: "/run-folder/sandbox", ...change };
  return composeBubblewrap(box).join(" ");
}

describe("bubblewrap's arguments", () => {
  it("list parents first, whatever the order of the rules, so that the deeper one wins", () => {
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

  it("let the stricter rule win at the same path", () => {
    const words = compose({
      rules: [
        { path: "/h/ao", as: "hidden" },
        { path: "/h/ao", as: "write" },
      ],
    });
    expect(words.indexOf("--tmpfs /h/ao")).toBeGreaterThan(words.indexOf("--bind /h/ao /h/ao"));
  });

  it("cut the network only if asked to", () => {
    expect(compose({ network: "none" })).toContain("--unshare-net");
    expect(compose({ network: ["github.com"] })).toContain("--unshare-net");
    expect(compose({})).not.toContain("--unshare-net");
  });

  it("expose name resolution only to programs that share the network", () => {
    expect(compose({})).toContain("/run/nscd");
    expect(compose({ network: "none" })).not.toMatch(/nscd|resolv|NetworkManager/);
    expect(compose({ network: ["github.com"] })).not.toMatch(/nscd|resolv|NetworkManager/);
  });

  it("drop every capability, hide outside processes, and share the terminal", () => {
    expect(compose({})).toContain("--unshare-user --unshare-ipc --unshare-pid --cap-drop ALL --die-with-parent");
    expect(compose({})).toContain("--proc /proc");
    expect(compose({})).not.toMatch(/--new-session|--unshare-all/);
  });

  it("create links inside a folder that covers another", () => {
    const words = compose({
      rules: [
        { path: "/h/repo/.git/config", as: "link", from: "shared/config" },
        { path: "/h/repo/.git", as: "hidden" },
      ],
    });
    expect(words).toContain("--tmpfs /h/repo/.git --symlink shared/config /h/repo/.git/config");
  });
});
