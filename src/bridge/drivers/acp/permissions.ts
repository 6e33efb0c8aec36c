import { randomUUID } from "node:crypto";
import type { Report } from "../../driver.ts";
import { describeWanted } from "../../kit/permission-question.ts";
import { judge } from "../../kit/policy.ts";
import type { Asked } from "../../kit/rpc.ts";
import { describeTool, type Tool } from "../../kit/tool.ts";
import { type PermissionRequest, parsePermissionRequest } from "./messages.ts";
import type { Settings } from "./settings.ts";

/** The agent's questions: answered by the policy, or by a person. */
export interface Permissions {
  ask(asked: Asked, learn: (request: PermissionRequest) => Tool): void;
  answer(questionId: string, choice: string): void;
  /** The turn is being ended: the protocol wants each open question answered so. */
  cancel(): void;
  /** The tool went on without the answer. */
  forget(toolId: string): void;
}

interface Open {
  readonly toolId: string;
  readonly options: PermissionRequest["options"];
  respond(outcome: object): void;
}

interface Place {
  readonly cwd: string;
  readonly home: string;
}

/** Makes the list of open questions of a session. */
export function createPermissions(settings: Settings, place: Place, report: Report): Permissions {
  const open = new Map<string, Open>();

  const select = (to: Pick<Open, "respond">, optionId: string | null): void =>
    to.respond({ outcome: optionId === null ? { outcome: "cancelled" } : { outcome: "selected", optionId } });

  return {
    ask: (asked, learn) => {
      const request = parsePermissionRequest(asked.params);
      if (request === null) return asked.refuse(-32602, "The question is not of the protocol's form.");
      const tool = learn(request);
      const verdict = judge(settings, tool, place);
      const { options } = request;
      if (verdict === "deny") report.noted(`denied by the policy: ${describeTool(tool)}`);
      const decided = verdict === "ask" ? undefined : findOption(options, verdict)?.optionId;
      if (decided !== undefined || verdict === "deny") {
        if (verdict === "allow") report.working(describeTool(tool).split("\n")[0]);
        return select(asked, decided ?? null);
      }
      const id = randomUUID();
      const offered = options.filter(({ optionId }) => !settings.hide.includes(optionId));
      open.set(id, { toolId: tool.id, options: offered, respond: asked.respond });
      report.asked({
        id,
        kind: "permission",
        ...describeWanted({
          name: settings.name,
          command: tool.command,
          title: describeTool(tool),
          detail: tool.detail ?? null,
        }),
        choices: offered.map(({ name }) => name),
        descriptions: Object.fromEntries(
          offered.flatMap(({ kind, name }) => (isLasting(kind) ? [[name, LASTING]] : [])),
        ),
        freeText: true,
      });
    },
    answer: (questionId, choice) => {
      const asked = open.get(questionId);
      if (asked === undefined) return;
      open.delete(questionId);
      const wanted = choice.trim().toLowerCase();
      const named = asked.options.find(({ name, optionId }) => [name.toLowerCase(), optionId].includes(wanted));
      const meant = wanted === "allow" ? "allow" : "deny";
      select(asked, (named ?? findOption(asked.options, meant))?.optionId ?? null);
    },
    cancel: () => {
      for (const one of open.values()) select(one, null);
      open.clear();
    },
    forget: (toolId) => {
      for (const [id, one] of open) {
        if (one.toolId !== toolId) continue;
        open.delete(id);
        report.withdrawn(id);
      }
    },
  };
}

const LASTING = "what that covers and how long it holds is up to the agent";

function isLasting(kind: string): boolean {
  return kind.endsWith("_always");
}

// "Always" would outlive the question, and the agent may write it into the user's settings.
function findOption(
  options: PermissionRequest["options"],
  verdict: "allow" | "deny",
): PermissionRequest["options"][number] | undefined {
  const kinds = verdict === "allow" ? ["allow_once"] : ["reject_once", "reject_always"];
  return options.find(({ kind }) => kinds.includes(kind));
}
