import { lazy, Suspense } from "react";
import { Route, Switch } from "wouter";
import { FleetPage } from "./pages/fleet/fleet-page.tsx";
import { NotFound } from "./pages/not-found.tsx";
import { Shell } from "./shell/shell.tsx";

const SessionPage = lazy(() => import("./pages/session/session-page.tsx").then((m) => ({ default: m.SessionPage })));

/** Which page an address shows. Fleet is part of the first load, everything else comes when it is opened. */
export function App() {
  return (
    <Shell>
      <Suspense fallback={null}>
        <Switch>
          <Route path="/">
            <FleetPage />
          </Route>
          <Route path="/s/:id">{({ id }) => <SessionPage id={id} />}</Route>
          <Route>
            <NotFound />
          </Route>
        </Switch>
      </Suspense>
    </Shell>
  );
}
