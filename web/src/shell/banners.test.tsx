import { QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { createQueryClient, sessionsQuery } from "../data/queries.ts";
import { WarningBar } from "./banners.tsx";

function render(warnings: readonly string[] | undefined): string {
  const queries = createQueryClient();
  const fleet = { paused: false, pausedProjects: [], position: 1, ...(warnings === undefined ? {} : { warnings }) };
  queries.setQueryData(sessionsQuery().queryKey, { data: [], fleet } as never);
  return renderToStaticMarkup(
    <QueryClientProvider client={queries}>
      <WarningBar />
    </QueryClientProvider>,
  );
}

describe("warnings of the daemon", () => {
  it("are shown on every page, with hidden characters written out", () => {
    const html = render(["The clock was set back.", "filter.\u202ex"]);
    expect(html).toContain("The clock was set back.");
    expect(html).toContain("filter.\\u202ex");
  });

  it("leave no bar when there are none", () => {
    expect(render(undefined)).toBe("");
  });
});
