import { lazy, Suspense } from "react";
import { Route, Switch } from "wouter";
import { HomePage } from "./pages/home-page.tsx";
import { NotFound } from "./pages/not-found.tsx";
import { Shell } from "./shell/shell.tsx";

const CapacityPage = lazy(() =>
  import("./pages/capacity/capacity-page.tsx").then((m) => ({ default: m.CapacityPage })),
);
const CostPage = lazy(() => import("./pages/cost/cost-page.tsx").then((m) => ({ default: m.CostPage })));
const InboxPage = lazy(() => import("./pages/inbox/inbox-page.tsx").then((m) => ({ default: m.InboxPage })));
const NewSessionDialog = lazy(() =>
  import("./pages/new-session/new-session-dialog.tsx").then((m) => ({ default: m.NewSessionDialog })),
);
const ProjectPage = lazy(() => import("./pages/projects/project-page.tsx").then((m) => ({ default: m.ProjectPage })));
const ProjectsPage = lazy(() =>
  import("./pages/projects/projects-page.tsx").then((m) => ({ default: m.ProjectsPage })),
);
const ReviewPage = lazy(() => import("./pages/review/review-page.tsx").then((m) => ({ default: m.ReviewPage })));
const SettingsPage = lazy(() =>
  import("./pages/settings/settings-page.tsx").then((m) => ({ default: m.SettingsPage })),
);
const SessionPage = lazy(() => import("./pages/session/session-page.tsx").then((m) => ({ default: m.SessionPage })));

/** Maps URLs to pages. Fleet is part of the first load; the rest is loaded when opened. */
export function App() {
  return (
    <Shell>
      <Suspense fallback={null}>
        <Switch>
          <Route path="/">
            <HomePage />
          </Route>
          <Route path="/new">
            <HomePage />
            <NewSessionDialog />
          </Route>
          <Route path="/projects">
            <ProjectsPage />
          </Route>
          <Route path="/p/:id">{({ id }) => <ProjectPage id={id} />}</Route>
          <Route path="/settings/:section?">
            {({ section }) => <SettingsPage section={section ?? "appearance"} />}
          </Route>
          <Route path="/p/:id/settings/:section?">{({ id }) => <SettingsPage section="config" project={id} />}</Route>
          <Route path="/capacity">
            <CapacityPage />
          </Route>
          <Route path="/cost">
            <CostPage />
          </Route>
          <Route path="/p/:project/pr/:number">
            {({ project, number }) => <ReviewPage project={project} number={number} />}
          </Route>
          <Route path="/inbox">
            <InboxPage id={null} />
          </Route>
          <Route path="/inbox/:id">{({ id }) => <InboxPage id={decodeURIComponent(id)} />}</Route>
          <Route path="/s/:id">{({ id }) => <SessionPage id={id} />}</Route>
          <Route>
            <NotFound />
          </Route>
        </Switch>
      </Suspense>
    </Shell>
  );
}
