import { misuse } from "../args/usage-error.ts";
import { defineCommand } from "../command.ts";
import { hasTerminal } from "./attach/open-terminal.ts";

export const command = defineCommand({
  name: "ui",
  summary: "live board of all sessions; `ao` without arguments opens it too",
  usage: [""],
  arguments: [],
  options: {},
  examples: ["ao", "ao ui"],
  details:
    "What needs you comes first. Keys: j/k move, Enter transcript, a answer, m message, d diff, t attach, p approve,\n" +
    "r request changes, M merge, s stop, R restore, n new task, / filter, ? all keys, q quit. Also called top.\n" +
    "It needs 80 columns and 20 rows; `ao list` fits any size.",
  async run() {
    if (!hasTerminal()) throw misuse("the board needs a terminal", "`ao list` prints the sessions.");
    const { runBoard } = await import("../board/run-board.ts");
    await runBoard();
  },
});
