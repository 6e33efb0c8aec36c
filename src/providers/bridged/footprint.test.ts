import { expect, it } from "vitest";
import { footprintOf } from "./footprint.ts";

it.each([
  [{ HOME: "/h" }, ["/h/.x", "/h/.config/x", "/h/.local/share/x"]],
  [{ HOME: "/h", XDG_CONFIG_HOME: "/c" }, ["/h/.x", "/c/x", "/h/.local/share/x"]],
  [{ HOME: "/h", XDG_DATA_HOME: "/d", XDG_CONFIG_HOME: "" }, ["/h/.x", "/h/.config/x", "/d/x"]],
])("a program's folders are where %j puts them", (environment, folders) => {
  expect(footprintOf(".x", ".config/x", ".local/share/x")(environment)).toEqual({ folders, network: true });
});
