import type { Project, User } from "./model.ts";
import { presentUser, projectPage } from "./present.ts";
import { fullPath, type World } from "./world.ts";

/** The project and user fields of every webhook payload, as in GitLab's documentation. */
export function hookPayload(world: World, project: Project, by: User) {
  const page = projectPage(world, project);
  const { id, username, name, avatar_url } = presentUser(world, by);
  const ssh = `git@${new URL(world.url).hostname}:${fullPath(project)}.git`;
  const { path, defaultBranch } = project;
  return {
    user: { id, name, username, avatar_url, email: "[REDACTED]" },
    project: {
      id: project.id,
      name: path,
      description: "",
      web_url: page,
      avatar_url: null,
      git_ssh_url: ssh,
      git_http_url: `${page}.git`,
      namespace: project.namespace,
      visibility_level: 0,
      path_with_namespace: fullPath(project),
      default_branch: defaultBranch,
      ci_config_path: "",
      homepage: page,
      url: ssh,
      ssh_url: ssh,
      http_url: `${page}.git`,
    },
    repository: { name: path, url: ssh, description: "", homepage: page },
  };
}
