/** A short name from a title: lower case, dashes, at most 40 characters; "task" if nothing is left. */
export function slugify(title: string): string {
  const words = title
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  const cut = words.length <= 40 ? words : words.slice(0, 40).replace(/-[^-]*$/, "");
  return cut === "" ? "task" : cut;
}

/** The tracker's own id in any of its written forms: `42`, `#42`, `GH-42`, `ENG-42`, a URL that ends in it. */
export function normalizeIssue(written: string): string {
  const text = written.trim();
  const url = /\/(?:issues|issue|browse|work_items)\/([A-Za-z][A-Za-z0-9_]*-\d+|\d+)/.exec(text);
  const id = url?.[1] ?? text;
  const number = /^(?:#|GH-)?0*(\d+)$/i.exec(id)?.[1];
  return number ?? id;
}

/** An issue as people refer to it: a number with `#`, any other id as is. */
export function issueReference(id: string): string {
  return /^\d+$/.test(id) ? `#${id}` : id;
}

/** Do two URLs belong to one issue? Trackers append its title, which may change, to the id. */
export function isSameIssue(one: string, another: string): boolean {
  const stem = (url: string): string => `${url.split(/[?#]/)[0]}/`.replace(/\/+$/, "/");
  const [a, b] = [stem(one), stem(another)];
  const id = normalizeIssue(one);
  const isTitled = !/^\d+$/.test(id) && id === normalizeIssue(another);
  const upTo = (url: string): string => url.slice(0, url.indexOf(`/${id}/`));
  return a === b || (isTitled && upTo(a) === upTo(b));
}

/** The file in a checkout's git folder that names its session. */
export const SESSION_MARKER = "ao-session";

export interface SessionNames {
  readonly id: string;
  readonly branch: string;
  /** Folder of the worktree. */
  readonly folder: string;
}

export interface NameRequest {
  readonly prefix: string;
  readonly title: string;
  readonly issue: string | null;
  readonly branch: string | null;
  readonly isTaken: (sessionId: string) => boolean;
  /** Branches that no session may have, for one whose branch was not named. */
  readonly isShared?: (branch: string) => boolean;
}

/** Id, branch and folder of a new session; a number is added until the id is free. */
export function nameSession(request: NameRequest): SessionNames {
  const slug = request.issue === null ? slugify(request.title) : slugify(request.issue);
  const branchStem = request.issue === null ? `agent/${slug}` : `agent/issue-${slug}`;
  const folderStem = request.issue === null ? slug : `issue-${slug}`;
  for (let n = 1; ; n += 1) {
    const suffix = n === 1 ? "" : `-${n}`;
    const id = `${request.prefix}-${slug}${suffix}`;
    const branch = request.branch ?? `${branchStem}${suffix}`;
    const isFree = request.branch !== null || request.isShared?.(branch) !== true;
    if (isFree && !request.isTaken(id)) {
      return { id, branch, folder: `${folderStem}${suffix}` };
    }
  }
}
