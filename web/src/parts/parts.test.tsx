import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { Router } from "wouter";
import { Button, ButtonLink } from "./button.tsx";
import { ChartPanel } from "./chart.tsx";
import { Dialog } from "./dialog.tsx";
import { Empty } from "./empty.tsx";
import { Field, Select } from "./field.tsx";
import { Figures } from "./figures.tsx";
import { Menu } from "./menu.tsx";
import { Notice } from "./notice.tsx";
import { Panel } from "./panel.tsx";
import { Segments } from "./segments.tsx";
import { Table } from "./table.tsx";

describe("the shared parts", () => {
  it("buttons show their shortcut, hidden from screen readers", () => {
    const html = renderToStaticMarkup(<Button hint="Shift M">Merge</Button>);
    expect(html).toContain("Merge");
    expect(html).toMatch(/<span[^>]* aria-hidden="true">Shift M<\/span>/);
    const link = (
      <Router ssrPath="/">
        <ButtonLink href="/s/a">Open</ButtonLink>
      </Router>
    );
    expect(renderToStaticMarkup(link)).toContain('href="/s/a"');
  });

  it("a failed panel says what failed and how to fix it, in place", () => {
    const error = Object.assign(new Error("No such project."), { hint: "Run `ao projects`." });
    const html = renderToStaticMarkup(
      <Panel title="Checks" error={error} onRetry={() => undefined}>
        content
      </Panel>,
    );
    expect(html).toContain("No such project.");
    expect(html).toContain("Run `ao projects`.");
    expect(html).toContain("Retry");
    expect(html).not.toContain("content");
  });

  it("failures interrupt a screen reader, other notices wait", () => {
    expect(renderToStaticMarkup(<Notice tone="bad">x</Notice>)).toContain('role="alert"');
    expect(renderToStaticMarkup(<Notice>x</Notice>)).toContain('role="status"');
  });

  it("tables name themselves and their columns", () => {
    const columns = [{ name: "Cost", cell: (row: { cost: string }) => row.cost, isNumber: true }];
    const html = renderToStaticMarkup(
      <Table label="Costs" columns={columns} rows={[{ cost: "$1.74" }]} keyOf={({ cost }) => cost} />,
    );
    expect(html).toContain('aria-label="Costs"');
    expect(html).toContain('<th scope="col" class="table-number">Cost</th>');
    expect(html).toContain("$1.74");
  });

  it("charts describe their content in a sentence and offer a table", () => {
    const html = renderToStaticMarkup(
      <ChartPanel title="By day" summary="3 days, $4 in all" chart={<svg />} table={<table />} />,
    );
    expect(html).toContain("3 days, $4 in all");
    expect(html).toContain(">Table</button>");
  });

  it("a chosen segment is pressed", () => {
    const options = [
      { value: "money", label: "Money" },
      { value: "tokens", label: "Tokens" },
    ] as const;
    const html = renderToStaticMarkup(
      <Segments label="Unit" options={options} value="tokens" onChange={() => undefined} />,
    );
    expect(html).toMatch(/aria-pressed="true">Tokens/);
    expect(html).toMatch(/aria-pressed="false">Money/);
  });

  it("fields connect their label with their control", () => {
    const html = renderToStaticMarkup(
      <Field label="Agent">
        {(id) => <Select id={id} options={[{ value: "codex", label: "codex" }]} onChoose={() => undefined} />}
      </Field>,
    );
    const id = /for="([^"]+)"/.exec(html)?.[1];
    expect(html).toContain(`<select class="input" id="${id}"`);
  });

  it("figures and empty states are read as text", () => {
    const figures = [{ value: "$61.40", label: "today", context: "limit $120" }];
    expect(renderToStaticMarkup(<Figures figures={figures} />)).toContain("$61.40");
    expect(renderToStaticMarkup(<Empty title="No open issues">`ao issue new` makes one.</Empty>)).toContain(
      "No open issues",
    );
  });

  it("closed dialogs and menus are not in the page", () => {
    const dialog = (
      <Dialog title="New session" isOpen={false} onClose={() => undefined}>
        content
      </Dialog>
    );
    const menu = <Menu trigger={<Button>More</Button>} items={[{ label: "Stop", onSelect: () => undefined }]} />;
    expect(renderToStaticMarkup(dialog)).not.toContain("content");
    expect(renderToStaticMarkup(menu)).not.toContain("Stop");
  });
});
