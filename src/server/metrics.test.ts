import { expect, it } from "vitest";
import { aServer } from "../../test/support/server.ts";
import { createMetrics } from "./metrics.ts";

it("metrics are in Prometheus text format, with labels escaped", () => {
  const metrics = createMetrics(() => [
    { name: "ao_sessions", help: "Sessions.", type: "gauge", values: [[{ project: 'a"b\\c\nd' }, 3]] },
  ]);
  metrics.observe("GET /api/sessions", 200, 0.004);
  metrics.observe("GET /api/sessions", 200, 2);
  const lines = metrics.render().split("\n");
  expect(lines.slice(0, 3)).toEqual([
    "# HELP ao_sessions Sessions.",
    "# TYPE ao_sessions gauge",
    'ao_sessions{project="a\\"b\\\\c\\nd"} 3',
  ]);
  expect(lines).toContain('ao_http_requests_total{call="GET /api/sessions",status="200"} 2');
  const name = "ao_http_request_duration_seconds";
  expect(lines).toContain(`${name}_bucket{call="GET /api/sessions",le="0.0025"} 0`);
  expect(lines).toContain(`${name}_bucket{call="GET /api/sessions",le="0.005"} 1`);
  expect(lines).toContain(`${name}_bucket{call="GET /api/sessions",le="+Inf"} 2`);
  expect(lines).toContain(`${name}_count{call="GET /api/sessions"} 2`);
});

it("GET /metrics has sessions by status, events, open pull requests, memory and the calls made", async () => {
  const { ask } = aServer();
  expect((await ask("/metrics")).status).toBe(401);
  await ask("/api/sessions", {}, "socket");
  await ask("/api/sessions/nobody", {}, "socket");
  const answer = await ask("/metrics", { headers: { authorization: "Bearer ao_main" } });
  expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  const text = await answer.text();
  expect(text).toMatch(/^ao_sessions\{project="demo",status="[a-z-]+"\} 1$/m);
  expect(text).toMatch(/^ao_pull_requests_open\{project="demo",status="[a-z-]+"\} 1$/m);
  expect(text).toMatch(/^ao_events_total 0$/m);
  expect(text).toMatch(/^ao_resident_memory_bytes \d{7,}$/m);
  expect(text).toMatch(/^ao_event_loop_delay_seconds\{quantile="0\.99"\} 0$/m);
  expect(text).toContain('ao_http_requests_total{call="GET /api/sessions",status="200"} 1');
  expect(text).toContain('ao_http_requests_total{call="GET /api/sessions/:id",status="404"} 1');
});
