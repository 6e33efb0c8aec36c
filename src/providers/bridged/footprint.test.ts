import { expect, it } from "vitest";
import { footprintOf } from "./footprint.ts";

it.each([
  [{ HOME: "/h" }, ["/h/.x", "/h/.config/x", "/h/.local/share/x"]],
  [{ HOME: "/h", XDG_CONFIG_HOME: "/c" }, ["/h/.x", "/c/x", "/h/.local/share/x"]],
  [{ HOME: "/h", XDG_DATA_HOME: "/d", XDG_CONFIG_HOME: "" }, ["/h/.x", "/h/.config/x", "/d/x"]],
])("a program's folders are where %j puts them", (environment, folders) => {
  const wanted = [".x", ".config/x", ".local/share/x"].map((path) => ({ path }));
  const expected = { folders: folders.map((path) => ({ path })), network: true };
  expect(footprintOf(...wanted)(environment)).toEqual(expected);
});

it("a folder that its own variable moves is there", () => {
  const moved = footprintOf(
    { path: ".x", variable: "X_HOME", omitted: ["log"] },
    { path: ".y/sub", variable: "Y_HOME", below: "sub" },
  );
  const environment = { HOME: "/h", X_HOME: "/x", Y_HOME: "/y" };
  expect(moved(environment).folders).toEqual([{ path: "/x", omitted: ["log"] }, { path: "/y/sub" }]);
  expect(moved({ HOME: "/h" }).folders.map(({ path }) => path)).toEqual(["/h/.x", "/h/.y/sub"]);
});
