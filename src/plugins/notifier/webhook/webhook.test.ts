import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { PluginError } from "../../../core/errors.ts";
import { createNodeHost } from "../../../platform/host.ts";
import { createSilentLog } from "../../../platform/log.ts";
import type { Notifier } from "../../../ports/notifier.ts";
import { aNotice, describeNotifierContract } from "../../../testing/contracts/notifier.contract.ts";
import { type ReceiverAnswer, startNoticeReceiver } from "../../../testing/notice-receiver.ts";
import { webhook } from "./webhook.ts";

function aWebhook(config: Readonly<Record<string, unknown>>): Notifier {
  const host = createNodeHost({ log: createSilentLog() });
  return webhook.create(webhook.config.parse(config), host, { home: "/", projectPath: "/" });
}

async function failureOf(work: Promise<unknown>): Promise<PluginError> {
  return work.then(
    () => expect.unreachable("it was sent"),
    (error: PluginError) => error,
  );
}

describeNotifierContract({
  name: "the notifier webhook",
  create: async () => {
    const receiver = await startNoticeReceiver();
    return {
      notifier: aWebhook({ url: `http://${receiver.host}/` }),
      delivered: () =>
        receiver.received.map(({ body, headers }) => ({
          text: JSON.parse(body)
            .notices.map(({ title, text }: { title: string; text: string }) => `${title}\n${text}`)
            .join("\n"),
          key: String(headers["idempotency-key"]),
        })),
      breakDown: () => {
        receiver.answer = { status: 503 };
      },
    };
  },
});

describe("the notifier webhook", () => {
  it("posts the notices as JSON, in the documented format", async () => {
    const receiver = await startNoticeReceiver();
    const before = Date.now();
    const notice = aNotice({ id: "n1", act: "ao logs web-1" });
    await aWebhook({ url: `http://${receiver.host}/in?team=a` }).send([
      { ...notice, later: "private" } as typeof notice,
    ]);
    const [request] = receiver.received;
    expect(request).toMatchObject({ method: "POST", url: "/in?team=a" });
    expect(request?.headers).toMatchObject({ "content-type": "application/json; charset=utf-8", "user-agent": "ao" });
    expect(request?.headers["x-ao-signature"]).toBeUndefined();
    const { sentAt, notices, ...more } = JSON.parse(request?.body ?? "");
    expect(more).toEqual({});
    expect(Date.parse(sentAt)).toBeGreaterThanOrEqual(before);
    expect(notices).toEqual([
      {
        id: "n1",
        priority: "action",
        key: "ci-failed",
        title: "Title",
        text: "Text",
        projectId: "web",
        sessionId: "web-1",
        act: "ao logs web-1",
        at: "2026-01-02T03:04:05.000Z",
      },
    ]);
  });

  it("signs exactly the bytes of the body with the secret", async () => {
    const receiver = await startNoticeReceiver();
    await aWebhook({ url: `http://${receiver.host}/`, secret: "s3cret" }).send([aNotice({ text: "日本語 🎉" })]);
    const [request] = receiver.received;
    const wanted = createHmac("sha256", "s3cret")
      .update(Buffer.from(request?.body ?? "", "utf8"))
      .digest("hex");
    expect(request?.headers["x-ao-signature"]).toBe(`sha256=${wanted}`);
  });

  it("sends the configured headers", async () => {
    const receiver = await startNoticeReceiver();
    const headers = { Authorization: "Bearer t0ken", "User-Agent": "mine" };
    await aWebhook({ url: `http://${receiver.host}/`, headers }).send([aNotice({})]);
    expect(receiver.received[0]?.headers).toMatchObject({ authorization: "Bearer t0ken", "user-agent": "mine" });
  });

  it("uses the same key for the same notices in another order", async () => {
    const receiver = await startNoticeReceiver();
    const notifier = aWebhook({ url: `http://${receiver.host}/` });
    const pair = [aNotice({ id: "a" }), aNotice({ id: "b" })];
    await notifier.send(pair);
    await notifier.send(pair.reverse());
    expect(new Set(receiver.received.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
  });

  it.each([200, 201, 202, 204])("accepts %i as sent", async (status) => {
    const receiver = await startNoticeReceiver();
    receiver.answer = { status };
    await aWebhook({ url: `http://${receiver.host}/` }).send([aNotice({})]);
  });

  it.each<[string, ReceiverAnswer, object]>([
    ["a redirect", { status: 302, headers: { location: "http://127.0.0.1:1/" } }, { category: "config" }],
    ["400", { status: 400 }, { category: "config" }],
    ["401", { status: 401 }, { category: "auth" }],
    ["403", { status: 403 }, { category: "auth" }],
    ["404", { status: 404 }, { category: "config" }],
    ["408", { status: 408 }, { category: "unavailable" }],
    ["429", { status: 429 }, { category: "rate-limited", retryAfterMs: undefined }],
    ["429 with seconds", { status: 429, headers: { "retry-after": "7" } }, { retryAfterMs: 7000 }],
    ["429 with days", { status: 429, headers: { "retry-after": "999999" } }, { retryAfterMs: 3_600_000 }],
    [
      "429 with a past date",
      { status: 429, headers: { "retry-after": new Date(0).toUTCString() } },
      { retryAfterMs: 0 },
    ],
    ["429 with nonsense", { status: 429, headers: { "retry-after": "soon" } }, { retryAfterMs: undefined }],
    ["500", { status: 500 }, { category: "unavailable" }],
    [
      "503 with seconds",
      { status: 503, headers: { "retry-after": "2" } },
      { category: "unavailable", retryAfterMs: 2000 },
    ],
    ["a cut connection", { status: 0, instead: "cut" }, { category: "unknown-outcome" }],
    ["silence", { status: 0, instead: "silence" }, { category: "timeout", code: "timeout" }],
  ])("classifies %s for the engine, and shows only the host", async (_name, answer, wanted) => {
    const receiver = await startNoticeReceiver();
    receiver.answer = answer;
    const url = `http://us3r:p4ss@${receiver.host}/t0ken?k=qu3ry`;
    const notifier = aWebhook({
      url,
      secret: "s3cret",
      headers: { "X-Key": "h3ader" },
      timeout: answer.instead === "silence" ? "100ms" : "10s",
    });
    const failure = await failureOf(notifier.send([aNotice({})]));
    expect(failure).toMatchObject({ plugin: "webhook", ...wanted });
    expect(failure.message).toContain(receiver.host);
    const { message, stack, hint, data, cause } = failure;
    expect(JSON.stringify({ message, stack, hint, data, cause })).not.toMatch(/us3r|p4ss|t0ken|qu3ry|s3cret|h3ader/);
  });

  it("treats a date in Retry-After as the pause until then", async () => {
    const receiver = await startNoticeReceiver();
    receiver.answer = { status: 429, headers: { "retry-after": new Date(Date.now() + 60_000).toUTCString() } };
    const failure = await failureOf(aWebhook({ url: `http://${receiver.host}/` }).send([aNotice({})]));
    expect(failure.retryAfterMs).toBeGreaterThan(50_000);
    expect(failure.retryAfterMs).toBeLessThanOrEqual(60_000);
  });

  it("reports an unreachable receiver as unavailable", async () => {
    const failure = await failureOf(aWebhook({ url: "http://127.0.0.1:1/t0ken" }).send([aNotice({})]));
    expect(failure).toMatchObject({
      category: "unavailable",
      message: "127.0.0.1:1 cannot be reached (ECONNREFUSED).",
    });
  });
});

describe("the configuration of the notifier webhook", () => {
  it.each<[string, object, string]>([
    ["no address", {}, "url"],
    ["no web address", { url: "hooks.example.com/t0ken" }, "url"],
    ["a variable that was not set", { url: `\${HOOK}` }, "url"],
    ["another protocol", { url: "ftp://example.com/" }, "url"],
    ["a header with a line break", { url: "http://a/", headers: { "X-A": "t0ken\r\nX-B: 1" } }, "headers.X-A"],
    ["a header with an invalid name", { url: "http://a/", headers: { "X A": "t0ken" } }, "headers.X A"],
    ["a header of its own", { url: "http://a/", headers: { "content-Length": "5" } }, "headers.content-Length"],
    ["an empty secret", { url: "http://a/", secret: "" }, "secret"],
    ["an invalid duration", { url: "http://a/", timeout: "soon" }, "timeout"],
    ["a duration that is too long", { url: "http://a/", timeout: "2m" }, "timeout"],
    ["an unknown key", { url: "http://a/", urll: "" }, ""],
  ])("rejects %s, without repeating a value", (_name, config, path) => {
    const { error } = webhook.config.safeParse(config);
    expect(error?.issues.map((issue) => issue.path.join("."))).toEqual([path]);
    expect(error?.message).not.toContain("t0ken");
  });
});
