import { expect, it } from "vitest";
import { readTask } from "./editor.ts";

it.each([
  { text: "Fix the login\n", gives: { title: "Fix the login", body: "" } },
  {
    text: "\n\nFix the login\n\nIt fails\nwith an empty password.\n\n# comment\n",
    gives: { title: "Fix the login", body: "It fails\nwith an empty password." },
  },
  { text: "# only\n#comments\n\n", gives: { title: "", body: "" } },
  { text: "Fix\r\n\r\nbody\r\n# comment\r\n", gives: { title: "Fix", body: "body" } },
  {
    text: "Fix\n\n a # in the line\n # indented stays",
    gives: { title: "Fix", body: "a # in the line\n # indented stays" },
  },
])("$text", ({ text, gives }) => {
  expect(readTask(text)).toEqual(gives);
});
