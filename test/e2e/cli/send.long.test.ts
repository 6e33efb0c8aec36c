import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { MessageView } from "../../../src/protocol/views/session.ts";
import { isFull } from "../../../src/testing/full.ts";
import { type Fleet, shareFleet } from "../../support/fleet.ts";
import { until } from "../../support/until.ts";
import { largest, MIB, TEXTS, UNTYPABLE } from "./send-texts.ts";
import { main, openShell, plainEnvironment, run, type Shell, type Typed } from "./shell.ts";

const DELIVERED: Typed = { code: 0, out: "delivered\n", err: "" };
const ways = ["argument", "file", "stdin"] as const;
/** Takes one text per process and saves it unchanged. */
const keeper = ["sh", "-c", 'cat >"$AO_DIARY/part.$$" && mv "$AO_DIARY/part.$$" "$AO_DIARY/$AO_SESSION.last"'];
const machine = { limits: { parallelAgents: 50 } };
const lines = shareFleet({ machine });
const oneshot = shareFleet({ machine, agentConfig: { command: keeper, protocol: "oneshot" } });

/** A new session, and the shell of a person who messages it. */
interface Talk {
  readonly fleet: Fleet;
  readonly shell: Shell;
  readonly id: string;
}

async function begin(fleet: Fleet, task: { readonly title?: string; readonly prompt?: string } = {}): Promise<Talk> {
  const shell = openShell(fleet.repo, { ...plainEnvironment(fleet.dir), AO_HOME: fleet.home });
  const args = ["new", task.title ?? "talk", "--json", ...(task.prompt === undefined ? [] : ["--prompt-file", "-"])];
  const typed = await shell.aoWith({ input: task.prompt ?? "" }, ...args);
  expect(typed).toMatchObject({ code: 0 });
  const { id } = JSON.parse(typed.out) as { readonly id: string };
  // A command waits three seconds for the agent to confirm; on a busy machine an agent takes that long to start.
  const hasTask = (): boolean => fleet.diary(id).some(({ event }) => event === "confirmed");
  if (fleet === lines()) await until("the agent to confirm its task", hasTask);
  return { fleet, shell, id };
}

function send({ fleet, shell, id }: Talk, way: (typeof ways)[number], text: string): Promise<Typed> {
  if (way === "argument") return shell.ao("send", id, text);
  if (way === "stdin") return shell.aoWith({ input: text }, "send", id);
  writeFileSync(join(fleet.dir, "message"), text);
  return shell.ao("send", id, "--file", join(fleet.dir, "message"));
}

/** What the last program of `keeper` got; null: none has ended yet. */
function lastKept({ fleet, id }: Talk): Buffer | null {
  const file = join(fleet.dir, `diary/${id}.last`);
  return existsSync(file) ? readFileSync(file) : null;
}

/** What the agent of `lines` got after its task. */
function messagesTo({ fleet, id }: Talk): readonly (string | undefined)[] {
  return fleet
    .diary(id)
    .filter((entry) => entry.event === "message")
    .map((entry) => entry.text);
}

describe.each(ways)("ao send by %s", (way) => {
  const texts = Object.entries(way === "argument" ? TEXTS : { ...TEXTS, ...UNTYPABLE });

  // A file is read like stdin.
  const told = isFull || way !== "file" ? texts : texts.slice(-3);

  it("delivers every text unchanged to a `lines` agent", async () => {
    const talk = await begin(lines());
    for (const [name, text] of told) {
      expect(await send(talk, way, text), name).toEqual(DELIVERED);
      expect(messagesTo(talk).at(-1), name).toBe(text);
    }
    expect(messagesTo(talk)).toEqual(told.map(([, text]) => text));
  });

  // The path into the daemon and the path to the agent are independent: in the short run one of them takes all texts.
  const some = isFull || way === "stdin" ? texts : texts.slice(0, 2);

  it("delivers every text byte for byte to a `oneshot` agent", async () => {
    const talk = await begin(oneshot());
    for (const [name, text] of some) {
      expect(await send(talk, way, text), name).toMatchObject({ code: 0, err: "" });
      // The command does not wait for a program that starts slowly on a busy machine.
      await until(`the text ${name} to arrive`, () => lastKept(talk)?.equals(Buffer.from(text)) === true);
    }
  });
});

describe("the size of a message", () => {
  it.each(["file", "stdin"] as const)("may be exactly 1 MiB by %s, to a `lines` agent", async (way) => {
    const talk = await begin(lines());
    const texts = Object.entries(largest());
    for (const [name, text] of isFull || way !== "file" ? texts : texts.slice(-1)) {
      expect(Buffer.byteLength(text), name).toBe(MIB);
      expect((await send(talk, way, text)).code, name).toBe(0);
      await until(`the text ${name} to arrive`, () => messagesTo(talk).at(-1) === text);
    }
  });

  it("may be exactly 1 MiB, to a `oneshot` agent", async () => {
    const talk = await begin(oneshot());
    for (const [name, text] of Object.entries(largest())) {
      expect((await send(talk, "stdin", text)).code, name).toBe(0);
      await until(`the text ${name} to arrive`, () => lastKept(talk)?.equals(Buffer.from(text)) === true);
    }
  });

  it("may be as long as the system allows for an argument", async () => {
    const talk = await begin(lines());
    const text = "é\n".repeat(43_000);
    expect(await send(talk, "argument", text)).toEqual(DELIVERED);
    expect(messagesTo(talk)).toEqual([text]);
  });
});

const RAW_ARGUMENT = 'exec "$0" "$1" send "$2" "$(printf "h\\377i")"';

describe("ao send refuses", () => {
  const tooLong = "x".repeat(MIB + 1);
  const refused: readonly (readonly [string, RegExp, (talk: Talk) => Promise<Typed>])[] = [
    ["1 MiB and a byte by stdin", /larger than 1 MiB/, (talk) => send(talk, "stdin", tooLong)],
    ["1 MiB and a byte by file", /larger than 1 MiB/, (talk) => sendBytes(talk, Buffer.from(tooLong))],
    [
      "a character that crosses 1 MiB",
      /larger than 1 MiB/,
      (talk) => sendBytes(talk, Buffer.from(`${"x".repeat(MIB - 1)}é`)),
    ],
    [
      "1 MiB and a byte by the API",
      /larger than 1 MiB/,
      ({ fleet, shell, id }) => {
        writeFileSync(join(fleet.dir, "body"), JSON.stringify({ content: tooLong }));
        return shell.ao("api", "POST", `/sessions/${id}/message`, "-d", `@${join(fleet.dir, "body")}`);
      },
    ],
    ["a file that is not UTF-8", /not valid UTF-8/, (talk) => sendBytes(talk, Buffer.from([0x68, 0xff, 0x69]))],
    ["half a character", /not valid UTF-8/, (talk) => sendBytes(talk, Buffer.from("é").subarray(0, 1))],
    [
      "stdin that is not UTF-8",
      /not valid UTF-8/,
      ({ shell, id }) => shell.aoWith({ input: Buffer.from([0xc0, 0x80]) }, "send", id),
    ],
    [
      "an argument that is not UTF-8",
      /not valid UTF-8/,
      ({ shell, id }) => run("sh", ["-c", RAW_ARGUMENT, process.execPath, main, id], { env: shell.env }),
    ],
    ["an empty argument", /is empty/, (talk) => send(talk, "argument", "")],
    ["an empty file", /is empty/, (talk) => sendBytes(talk, Buffer.alloc(0))],
    ["empty stdin", /is empty/, (talk) => send(talk, "stdin", "")],
    ["a file that is not there", /no such file/, ({ shell, id }) => shell.ao("send", id, "--file", "/no/such/file")],
    ["a folder as a file", /cannot read/, ({ shell, id }) => shell.ao("send", id, "--file", "/")],
  ];

  function sendBytes({ fleet, shell, id }: Talk, bytes: Uint8Array): Promise<Typed> {
    writeFileSync(join(fleet.dir, "message"), bytes);
    return shell.ao("send", id, "--file", join(fleet.dir, "message"));
  }

  it("what it cannot deliver unchanged, with a reason and a hint, and sends nothing", async () => {
    const talk = await begin(lines());
    for (const [what, sentence, type] of refused) {
      const typed = await type(talk);
      expect([1, 2], what).toContain(typed.code);
      expect(typed.err, what).toMatch(/^error: .+\nhint: .+\n$/);
      expect(typed.err, what).toMatch(sentence);
    }
    expect(await send(talk, "argument", "after all")).toEqual(DELIVERED);
    expect(messagesTo(talk)).toEqual(["after all"]);
  });
});

describe("ao send reports the state of the message", () => {
  it("delivered, when the agent confirmed it; with --json as an object", async () => {
    const talk = await begin(lines());
    const { fleet, shell, id } = talk;
    const message = await shell.json<MessageView>("send", id, "hällo");
    expect(message).toEqual({
      id: expect.stringMatching(/^m-/),
      kind: "message",
      delivery: "delivered",
      attempt: 1,
      bytes: 6,
      preview: "hällo",
      reason: null,
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
    expect(fleet.diary(id).at(-2)).toMatchObject({ event: "message", id: message.id, text: "hällo" });
  });

  it("takes words after -- literally, even option names", async () => {
    const talk = await begin(lines());
    const { shell, id } = talk;
    for (const word of ["--help", "--json", "-f", "--"]) await shell.ok("send", id, "--", word);
    expect(messagesTo(talk)).toEqual(["--help", "--json", "-f", "--"]);
  });

  it("unconfirmed, if the agent never confirms, which is not a failure", async () => {
    const talk = await begin(lines());
    const { shell, id } = talk;
    const typed = await shell.ao("send", id, "!silent");
    expect(typed).toMatchObject({ code: 0, out: expect.stringMatching(/^unconfirmed/) });
    expect(messagesTo(talk)).toEqual(["!silent"]);
  });

  it("unconfirmed while a confirming agent works on another message, with that reason", async () => {
    const { fleet, shell, id } = await begin(lines(), { prompt: "!busy 600000" });
    await until("the turn", async () => (await fleet.session(id)).agentStatus === "working");
    expect(await shell.ok("send", id, "later")).toMatch(/^unconfirmed: .*after the current turn\n$/);
  });

  it("queued while a question is open; after the answer all arrive in order", async () => {
    const talk = await begin(lines(), { prompt: "!ask Really?|yes|no" });
    const { fleet, shell, id } = talk;
    await until("the question", async () => (await fleet.session(id)).question !== null);
    for (const text of ["first", "second", "third"]) {
      expect(await shell.ok("send", id, text)).toMatch(/^queued: .*question/);
    }
    expect(messagesTo(talk)).toEqual([]);
    expect(await shell.ok("answer", id, "no")).toBe("answered: no\n");
    await until("all messages", () => messagesTo(talk).length === 3);
    const heard = fleet.diary(id).filter(({ event }) => event === "answer" || event === "message");
    expect(heard.map((entry) => entry.choice ?? entry.text)).toEqual(["no", "first", "second", "third"]);
  });

  it("queued while everything is paused; it arrives after resume", async () => {
    const talk = await begin(lines());
    const { shell, id } = talk;
    await shell.ok("pause");
    expect(await shell.ok("send", id, "later")).toMatch(/^queued: .*paused/);
    expect(messagesTo(talk)).toEqual([]);
    await shell.ok("resume");
    await until("the message", () => messagesTo(talk).join() === "later");
  });
});

it("ao send never reaches a session whose name only has the same prefix", async () => {
  const title = `fix-${Date.now()}`;
  const first = await begin(lines(), { title });
  const second = await begin(lines(), { title });
  expect(second.id).toBe(`${first.id}-2`);
  expect(await send(first, "argument", "for the first")).toEqual(DELIVERED);
  expect(await send(second, "argument", "for the second")).toEqual(DELIVERED);
  expect(messagesTo(first)).toEqual(["for the first"]);
  expect(messagesTo(second)).toEqual(["for the second"]);
  await first.shell.ok("stop", first.id);
  expect(await send(first, "argument", "too late")).toMatchObject({
    code: 1,
    err: expect.stringMatching(new RegExp(`^error: .*${first.id} .*\\nhint: .*ao restore ${first.id}`)),
  });
  expect(messagesTo(second)).toEqual(["for the second"]);
});
