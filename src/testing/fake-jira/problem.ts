import { JqlError } from "./jql.ts";
import type { Issue, Person, World } from "./model.ts";

export interface Variables {
  me: Person;
}

/** An error in Jira's words. */
export class JiraProblem extends Error {
  readonly status: 400 | 401 | 403 | 404;
  readonly fields: Readonly<Record<string, string>>;

  constructor(status: JiraProblem["status"], message: string, fields: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.fields = fields;
  }
}

export function presentProblem(error: unknown): { readonly status: JiraProblem["status"]; readonly body: unknown } {
  if (error instanceof JqlError) return { status: 400, body: { errorMessages: [error.message], errors: {} } };
  if (!(error instanceof JiraProblem)) throw error;
  return {
    status: error.status,
    body: { errorMessages: error.message === "" ? [] : [error.message], errors: error.fields },
  };
}

export function requireIssue(world: World, key: string | undefined): Issue {
  const found = world.issues.find((issue) => issue.key === key);
  if (found === undefined) throw new JiraProblem(404, "Issue does not exist or you do not have permission to see it.");
  return found;
}

/** The cloud accepts only documents, a server only text. */
export function requireText({ deployment }: World, field: string, text: unknown): unknown {
  const isDocument = typeof text === "object" && (text as { readonly type?: unknown } | null)?.type === "doc";
  if (deployment === "cloud" && text != null && !isDocument) {
    throw new JiraProblem(400, "", {
      [field]: "Operation value must be an Atlassian Document (see the Atlassian Document Format)",
    });
  }
  if (deployment === "server" && text != null && typeof text !== "string") {
    throw new JiraProblem(400, "", { [field]: "Operation value must be a string" });
  }
  return text ?? null;
}
