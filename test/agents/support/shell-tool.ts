/** A tool as an agent offers it to a model. */
export interface OfferedTool {
  readonly name: string;
  readonly schema: {
    readonly properties?: Readonly<Record<string, { readonly type?: unknown; readonly enum?: readonly unknown[] }>>;
    readonly required?: readonly string[];
  };
}

const NAMES = ["bash", "Bash", "run_shell_command", "Shell", "shell"];

/** The call that runs a command, with whichever tool the agent has for it. */
export function shellCall(tools: readonly OfferedTool[], command: string): { name: string; input: object } {
  const tool = tools.find(({ name }) => NAMES.includes(name));
  const { properties = {}, required = [] } = tool?.schema ?? {};
  const rest = required.filter((name) => name !== "command").map((name) => [name, fill(properties[name] ?? {})]);
  return { name: tool?.name ?? "bash", input: { ...Object.fromEntries(rest), command } };
}

function fill({ type, enum: values }: { readonly type?: unknown; readonly enum?: readonly unknown[] }): unknown {
  if (values?.[0] !== undefined) return values[0];
  if (type === "boolean") return false;
  return type === "number" || type === "integer" ? 60 : "a scripted command";
}
