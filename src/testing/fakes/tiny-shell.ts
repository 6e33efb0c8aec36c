import { resolve } from "node:path";
import type { HostFs } from "../../ports/host.ts";

export interface ShellContext {
  readonly fs: HostFs;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** `$1` and so on. */
  readonly args?: readonly string[];
  print(text: string): void;
  complain(text: string): void;
  sleep(ms: number): Promise<void>;
  /** `kill -KILL $$` */
  kill(): void;
}

/**
 * Runs the few commands that contract suites use (echo, cat, printf %s, pwd, touch, sleep, exit, kill), one after
 * another. An unknown command fails with 127, as in any shell.
 */
export async function runTinyShell(script: string, context: ShellContext): Promise<number> {
  let code = 0;
  for (const statement of script.split(/\s*(?:;|&&|\n)\s*/)) {
    if (statement === "") continue;
    const words = readWords(statement, context);
    if (words[0] === "exec") words.shift();
    if (words[0] === "exit") return Number(words[1] ?? 0);
    code = await runCommand(words, context);
    if (code !== 0) return code;
  }
  return code;
}

async function runCommand(words: readonly string[], context: ShellContext): Promise<number> {
  const target = words.find((word) => /^\d?>/.test(word));
  const [name = "", ...args] = words.filter((word) => word !== target);
  const text = await outputOf(name, args, context);
  if (text === null) return 127;
  await write(text, target, context);
  return 0;
}

/** null: it failed. */
async function outputOf(name: string, args: readonly string[], context: ShellContext): Promise<string | null> {
  switch (name) {
    case "true":
      return "";
    case "echo":
      return `${args.join(" ")}\n`;
    case "printf":
      return args.slice(1).join("");
    case "pwd":
      return `${context.cwd}\n`;
    case "cat":
      return context.fs.readText(resolve(context.cwd, args[0] ?? ""));
    case "touch":
      await context.fs.append(resolve(context.cwd, args[0] ?? ""), new Uint8Array());
      return "";
    case "sleep":
      await context.sleep(Number(args[0]) * 1000);
      return "";
    case "kill":
      context.kill();
      return "";
    default:
      context.complain(`${name}: not found\n`);
      return null;
  }
}

async function write(text: string, target: string | undefined, context: ShellContext): Promise<void> {
  if (target === ">&2") return context.complain(text);
  if (target === undefined) return context.print(text);
  const file = resolve(context.cwd, target.replace(/^>+/, ""));
  if (!target.startsWith(">>")) await context.fs.remove(file);
  await context.fs.append(file, new TextEncoder().encode(text));
}

// The words of a command; 'single' quotes keep everything, "double" quotes and plain words expand variables.
function readWords(statement: string, { env, args = [] }: ShellContext): string[] {
  const expand = (text: string): string =>
    text.replace(/\$(\w+)/g, (_, name: string) => (/^\d+$/.test(name) ? args[Number(name)] : env[name]) ?? "");
  return [...statement.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, single, double, plain]) =>
    single !== undefined ? single : expand(double ?? plain ?? ""),
  );
}
