import { reportFailure } from "./report-failure.ts";
import { runCommand } from "./run-command.ts";

/** The same as main.ts for `ao status` and `ao list`, without the code of any other command. */
export async function main(args: readonly string[]): Promise<void> {
  const [name, ...rest] = args;
  await reportFailure(args, async () => {
    const { command } = name === "list" ? await import("./commands/list.ts") : await import("./commands/status.ts");
    await runCommand(command, rest);
  });
}
