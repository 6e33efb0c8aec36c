import { describe, expect, it } from "vitest";
import { createNodeHost } from "../../../platform/host.ts";
import { createSilentLog } from "../../../platform/log.ts";
import type { Notifier } from "../../../ports/notifier.ts";
import { aNotice, describeNotifierContract } from "../../../testing/contracts/notifier.contract.ts";
import { startNoticeReceiver } from "../../../testing/notice-receiver.ts";
import { formatSlackMessage } from "./message.ts";
import { slack } from "./slack.ts";

function aSlack(config: Readonly<Record<string, unknown>>, env: Readonly<Record<string, string>> = {}): Notifier {
  const host = createNodeHost({ log: createSilentLog(), env });
  return slack.create(slack.config.parse(config), host, { home: "/", projectPath: "/" });
}

/** The text that Slack shows of a message. */
function shownText(body: string): string {
  const { blocks } = JSON.parse(body) as ReturnType<typeof formatSlackMessage>;
  return JSON.parse(JSON.stringify(blocks))
    .flatMap((block: { elements: { elements: { text: string }[] }[] }) => block.elements)
    .flatMap((section: { elements: { text: string }[] }) => section.elements)
    .map(({ text }: { text: string }) => text)
    .join("");
}

describeNotifierContract({
  name: "the notifier slack",
  create: async () => {
    const receiver = await startNoticeReceiver();
    return {
      notifier: aSlack({ url: `http://${receiver.host}/services/T/B/x` }),
      delivered: () => receiver.received.map(({ body }) => ({ text: shownText(body), key: null })),
      breakDown: () => {
        receiver.answer = { status: 503 };
      },
    };
  },
  skip: [
    {
      test: "uses the same key for a repetition, and another for other notices",
      reason: "Slack's incoming webhooks know no key for a repetition",
    },
  ],
});

describe("the notifier slack", () => {
  it("takes its URL from SLACK_WEBHOOK_URL if none is configured", async () => {
    const receiver = await startNoticeReceiver();
    await aSlack({}, { SLACK_WEBHOOK_URL: `http://${receiver.host}/services/env` }).send([aNotice({})]);
    expect(receiver.received.map(({ method, url }) => [method, url])).toEqual([["POST", "/services/env"]]);
  });

  it("prefers the configured URL", async () => {
    const receiver = await startNoticeReceiver();
    const env = { SLACK_WEBHOOK_URL: "http://127.0.0.1:1/" };
    await aSlack({ url: `http://${receiver.host}/services/file` }, env).send([aNotice({})]);
    expect(receiver.received.map(({ url }) => url)).toEqual(["/services/file"]);
  });

  it.each([
    ["no address", {}, "It has no address: set SLACK_WEBHOOK_URL in the shell that runs `ao start`, or write `url`."],
    ["something else for an address", { SLACK_WEBHOOK_URL: "t0ken" }, "SLACK_WEBHOOK_URL is not a web address."],
  ])("explains what to do if there is %s", async (_name, env, reason) => {
    const notifier = aSlack({}, env);
    expect(await notifier.preflight()).toEqual({ ok: false, reason });
    await expect(notifier.send([aNotice({})])).rejects.toMatchObject({ category: "config", message: reason });
  });

  it("explains a URL that Slack has revoked, without repeating it", async () => {
    const receiver = await startNoticeReceiver();
    receiver.answer = { status: 403 };
    const failure = await aSlack({ url: `http://${receiver.host}/t0ken` })
      .send([aNotice({})])
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ plugin: "slack", category: "auth", hint: expect.stringContaining("revoked") });
    expect(String((failure as Error).stack)).not.toContain("t0ken");
  });

  it("shows title, origin, text and command, and the title on a lock screen", () => {
    const message = formatSlackMessage([
      aNotice({ title: "web-1 needs you", text: "Two tries.", act: "ao logs web-1" }),
    ]);
    expect(shownText(JSON.stringify(message))).toBe("web-1 needs you (web / web-1)\nTwo tries.\nao logs web-1");
    expect(message.text).toBe("web-1 needs you");
  });

  it("mentions nobody, whatever the title of a notice says", () => {
    const { text } = formatSlackMessage([aNotice({ title: "<!channel> & <@U123>" })]);
    expect(text).toBe("&lt;!channel&gt; &amp; &lt;@U123&gt;");
  });
});
