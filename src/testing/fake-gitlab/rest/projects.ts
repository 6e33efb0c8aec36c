import { git, readBranch } from "../../fake-forge/git.ts";
import { revertCommit } from "../../fake-forge/revert.ts";
import type { Project } from "../model.ts";
import { presentLabel, presentProject, presentUser } from "../present.ts";
import { ensureLabel, type World } from "../world.ts";
import { type Api, bodyOf, HttpProblem, notFound, projectOf, sendPage, textOf } from "./context.ts";

/** Users, tokens, projects, members, labels and branches. */
export function routeProjects(api: Api, world: World): void {
  api.get("/user", (call) => call.json(presentUser(world, call.get("user"))));
  api.get("/users", (call) => {
    const wanted = call.req.query("username")?.toLowerCase();
    const found = [...world.users.values()].filter(({ username }) => username.toLowerCase() === wanted);
    return sendPage(
      call,
      found.map((user) => presentUser(world, user)),
    );
  });
  api.get("/personal_access_tokens/self", (call) => {
    const { scopes, isRevoked, user } = call.get("token");
    return call.json({ id: 1, name: "ao", revoked: isRevoked, active: !isRevoked, scopes, user_id: user.id });
  });
  api.get("/projects/:id", (call) => call.json(presentProject(world, projectOf(world, call))));
  api.get("/projects/:id/members/all/:user{[0-9]+}", (call) => {
    projectOf(world, call);
    const id = Number(call.req.param("user"));
    const user = [...world.users.values()].find((one) => one.id === id);
    if (user === undefined || world.outsiders.has(id)) throw notFound("Member");
    return call.json({ ...presentUser(world, user), access_level: 40, expires_at: null });
  });
  api.get("/projects/:id/labels", (call) => {
    const wanted = (call.req.query("search") ?? "").toLowerCase();
    const { labels } = projectOf(world, call);
    return sendPage(call, labels.filter(({ name }) => name.toLowerCase().includes(wanted)).map(presentLabel));
  });
  api.post("/projects/:id/labels", async (call) => {
    const name = textOf((await bodyOf(call))["name"]);
    if (name === undefined || name.includes(",")) throw new HttpProblem(400, { title: ["is invalid"] });
    return call.json(presentLabel(ensureLabel(world, projectOf(world, call), name)), 201);
  });
  api.get("/projects/:id/approval_rules", (call) => {
    const { settings } = projectOf(world, call);
    if (!settings.isPremium) throw new HttpProblem(404, "404 Not Found");
    const rule = { id: 1, name: "All Members", rule_type: "any_approver" };
    return sendPage(call, [{ ...rule, approvals_required: settings.approvalsRequired }]);
  });
  routeBranches(api, world);
}

async function presentBranch(project: Project, name: string) {
  const id = readBranch(project.gitDir, name);
  if (id === null) throw notFound("Branch");
  const isDefault = name === project.defaultBranch;
  // Reading it needs a process, and no client asks for it on the default branch.
  const message = isDefault ? "" : await git(project.gitDir, ["log", "-1", "--format=%B", id]);
  const isProtected = project.protectedBranches.has(name);
  return { name, merged: false, protected: isProtected, default: isDefault, commit: { id, message } };
}

function routeBranches(api: Api, world: World): void {
  const path = "/projects/:id/repository/branches/:branch";
  api.get(path, async (call) => {
    const project = projectOf(world, call);
    return call.json(await presentBranch(project, call.req.param("branch") ?? ""));
  });
  api.post("/projects/:id/repository/branches", async (call) => {
    const project = projectOf(world, call);
    const { branch, ref } = await bodyOf(call);
    const from = readBranch(project.gitDir, String(ref));
    if (from === null) throw new HttpProblem(400, "Invalid reference name");
    if (readBranch(project.gitDir, String(branch)) !== null) throw new HttpProblem(400, "Branch already exists");
    await git(project.gitDir, ["update-ref", `refs/heads/${branch}`, from]);
    return call.json(await presentBranch(project, String(branch)), 201);
  });
  api.post("/projects/:id/repository/commits/:sha/revert", async (call) => {
    const { gitDir } = projectOf(world, call);
    const branch = String((await bodyOf(call))["branch"]);
    const commit = call.req.param("sha") ?? "";
    const message = `Revert "Merge"\n\nThis reverts commit ${commit}`;
    const made = await revertCommit(gitDir, { commit, onto: branch, message });
    if (made === null) throw new HttpProblem(400, "Sorry, we cannot revert this commit automatically.");
    await git(gitDir, ["update-ref", `refs/heads/${branch}`, made]);
    return call.json({ id: made, message }, 201);
  });
  api.delete(path, async (call) => {
    const project = projectOf(world, call);
    const name = call.req.param("branch") ?? "";
    if (readBranch(project.gitDir, name) === null) throw notFound("Branch");
    if (project.protectedBranches.has(name)) throw new HttpProblem(403, "403 Forbidden");
    await git(project.gitDir, ["update-ref", "-d", `refs/heads/${name}`]);
    return call.body(null, 204);
  });
  api.get("/projects/:id/protected_branches", (call) => {
    const names = [...projectOf(world, call).protectedBranches];
    const levels = [{ access_level: 40, access_level_description: "Maintainers" }];
    return sendPage(
      call,
      names.map((name, index) => ({
        id: index + 1,
        name,
        push_access_levels: levels,
        merge_access_levels: levels,
        allow_force_push: false,
      })),
    );
  });
}
