/** The repository behind a remote's URL, if the forge is known. */
export interface ForgeRepository {
  readonly forge: "github" | "gitlab";
  readonly host: string;
  /** `owner/name`; on GitLab with all its groups. */
  readonly repo: string;
  /** For a self-hosted forge; null: github.com or gitlab.com. */
  readonly baseUrl: string | null;
}

const ADDRESS = /^(?:(https?|ssh|git):\/\/(?:[^@/]*@)?([^/]+)\/|[^@/\s]+@([^:/\s]+):)([\w.~/-]+?)(?:\.git)?\/*$/i;

/** The forge of a remote: a public one, or one named by the environment variables of the forge's own CLI. */
export function forgeOf(remote: string, env: Readonly<Record<string, string | undefined>>): ForgeRepository | null {
  const [, scheme = "ssh", urlHost, scpHost, repo = ""] = ADDRESS.exec(remote) ?? [];
  const written = (urlHost ?? scpHost ?? "").toLowerCase();
  // The ssh port says nothing about the web pages.
  const host = /^https?$/i.test(scheme) ? written : written.replace(/:\d+$/, "");
  const named = (name: string): string => (env[name] ?? "").toLowerCase().replace(/^https?:\/\/|\/+$/g, "");
  const known = [
    { forge: "github", host: "github.com", isPublic: true },
    { forge: "gitlab", host: "gitlab.com", isPublic: true },
    { forge: "github", host: named("GH_HOST"), isPublic: false },
    { forge: "gitlab", host: named("GITLAB_HOST"), isPublic: false },
  ] as const;
  const found = known.find((one) => one.host !== "" && one.host === host);
  const depth = repo.split("/").filter((part) => part !== "").length;
  if (found === undefined || depth < 2 || (found.forge === "github" && depth > 2)) return null;
  const baseUrl = found.isPublic ? null : `${scheme.toLowerCase() === "http" ? "http" : "https"}://${host}`;
  return { forge: found.forge, host, repo, baseUrl };
}
