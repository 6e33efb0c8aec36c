import { describe, expect, it } from "vitest";
import { createNodeHost } from "../../../platform/host.ts";
import { createSilentLog } from "../../../platform/log.ts";
import type { Notifier } from "../../../ports/notifier.ts";
import { aNotice, describeNotifierContract } from "../../../testing/contracts/notifier.contract.ts";
import { startNoticeReceiver } from "../../../testing/notice-receiver.ts";
import { discord } from "./discord.ts";
import { formatDiscordMessage } from "./message.ts";

function aDiscord(config: Readonly<Record<string, unknown>>, env: Readonly<Record<string, string>> = {}): Notifier {
  const host = createNodeHost({ log: createSilentLog(), env });
  return discord.create(discord.config.parse(config), host, { home: "/", projectPath: "/" });
}

/** The text that Discord shows of a message. */
function shownText(body: string): string {
  const { embeds = [] } = JSON.parse(body) as ReturnType<typeof formatDiscordMessage>;
  return embeds
    .map(({ title = "", description = "" }) => `${title}\n${description}`)
    .join("\n")
    .replaceAll(/\\([^0-9A-Za-z\s])/g, "$1");
}

describeNotifierContract({
  name: "the notifier discord",
  create: async () => {
    const receiver = await startNoticeReceiver();
    return {
      notifier: aDiscord({ url: `http://${receiver.host}/api/webhooks/1/x` }),
      delivered: () => receiver.received.map(({ body }) => ({ text: shownText(body), key: null })),
      breakDown: () => {
        receiver.answer = { status: 503 };
      },
    };
  },
  skip: [
    {
      test: "uses the same key for a repetition, and another for other notices",
      reason: "Discord's webhooks know no key for a repetition",
    },
  ],
});

describe("the notifier discord", () => {
  it("takes its URL from DISCORD_WEBHOOK_URL, and asks whether the message was accepted", async () => {
    const receiver = await startNoticeReceiver();
    await aDiscord({}, { DISCORD_WEBHOOK_URL: `http://${receiver.host}/api/webhooks/1/x?thread_id=7` }).send([
      aNotice({}),
    ]);
    expect(receiver.received.map(({ url }) => url)).toEqual(["/api/webhooks/1/x?thread_id=7&wait=true"]);
  });

  it("waits as long as Discord says, even for a fraction of a second", async () => {
    const receiver = await startNoticeReceiver();
    receiver.answer = { status: 429, headers: { "retry-after": "0.65" } };
    const notifier = aDiscord({ url: `http://${receiver.host}/` });
    await expect(notifier.send([aNotice({})])).rejects.toMatchObject({ category: "rate-limited", retryAfterMs: 650 });
  });

  it("mentions nobody, whatever a notice says", () => {
    const message = formatDiscordMessage([aNotice({ title: "@everyone", text: "<@&42>" })]);
    expect(message.allowed_mentions).toEqual({ parse: [] });
  });

  it.each([1, 2, 20])("stays within Discord's limits with %i notices of nothing but special characters", (count) => {
    const notices = Array.from({ length: count }, (_, index) =>
      aNotice({ id: `n${index}`, title: "*".repeat(500), text: "_".repeat(9000), act: `ao logs ${"`".repeat(300)}` }),
    );
    const [embed, ...more] = formatDiscordMessage(notices).embeds ?? [];
    expect(more).toEqual([]);
    expect(embed?.title?.length).toBeLessThanOrEqual(256);
    expect(embed?.description?.length).toBeLessThanOrEqual(4096);
  });

  it("shows the command that resolves a notice, and its origin", () => {
    const [embed] = formatDiscordMessage([aNotice({ text: "Two tries.", act: "ao logs web-1" })]).embeds ?? [];
    expect(embed).toMatchObject({ description: "Two tries\\.\n`ao logs web-1`", footer: { text: "web / web-1" } });
  });
});
