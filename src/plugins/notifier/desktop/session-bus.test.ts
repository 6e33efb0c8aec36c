import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createNodeHost } from "../../../platform/host.ts";
import { createSilentLog } from "../../../platform/log.ts";
import type { Notifier } from "../../../ports/notifier.ts";
import { aNotice, describeNotifierContract } from "../../../testing/contracts/notifier.contract.ts";
import { tempDir } from "../../../testing/temp.ts";
import { desktop } from "./desktop.ts";

// The real notify-send on a real session bus, with a notification service that records what it should show.

interface Shown {
  readonly app: string;
  readonly summary: string;
  readonly body: string;
  readonly urgency: number;
}

interface Call {
  readonly serial: number;
  readonly sender: string;
  readonly member: string;
  readonly body: Reader;
}

interface Reader {
  byte(): number;
  uint32(): number;
  text(): string;
  skip(bytes: number, alignment: number): void;
  align(to: number): void;
  /** Calls back for each element until the array's end. */
  array(alignment: number, each: () => void): void;
  /** A number or text inside a variant. */
  variant(): number | string;
}

function readerOf(bytes: Buffer): Reader {
  let at = 0;
  const reader: Reader = {
    byte: () => bytes.readUInt8(at++),
    align: (to) => {
      at = Math.ceil(at / to) * to;
    },
    skip: (count, alignment) => {
      reader.align(alignment);
      at += count;
    },
    uint32: () => {
      reader.align(4);
      at += 4;
      return bytes.readUInt32LE(at - 4);
    },
    text: () => {
      const length = reader.uint32();
      at += length + 1;
      return bytes.toString("utf8", at - length - 1, at - 1);
    },
    array: (alignment, each) => {
      const length = reader.uint32();
      reader.align(alignment);
      const end = at + length;
      while (at < end) each();
    },
    variant: () => {
      const length = reader.byte();
      const type = bytes.toString("latin1", at, at + length);
      at += length + 1;
      if (type === "y") return reader.byte();
      if (type === "s" || type === "o") return reader.text();
      if (type === "g") {
        const size = reader.byte();
        at += size + 1;
        return bytes.toString("latin1", at - size - 1, at - 1);
      }
      if (type === "x" || type === "t" || type === "d") {
        reader.skip(8, 8);
        return 0;
      }
      return reader.uint32();
    },
  };
  return reader;
}

function padded(bytes: Buffer, to: number): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((to - (bytes.length % to)) % to)]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function text(value: string): Buffer {
  return Buffer.concat([uint32(Buffer.byteLength(value)), Buffer.from(`${value}\0`, "utf8")]);
}

type Fields = readonly (readonly [code: number, type: "s" | "o" | "u" | "g", value: string | number])[];

function formatMessage(type: number, serial: number, fields: Fields, body: Buffer): Buffer {
  let list = Buffer.alloc(0);
  for (const [code, kind, value] of fields) {
    const head = Buffer.from([code, 1, kind.charCodeAt(0), 0]);
    const signature = Buffer.from([String(value).length, ...Buffer.from(`${value}\0`)]);
    const data = kind === "u" ? uint32(Number(value)) : kind === "g" ? signature : text(String(value));
    list = Buffer.concat([padded(list, 8), head, data]);
  }
  const start = Buffer.concat([Buffer.from([0x6c, type, 0, 1]), uint32(body.length), uint32(serial)]);
  return Buffer.concat([padded(Buffer.concat([start, uint32(list.length), list]), 8), body]);
}

/** Takes whole messages off the front of what has arrived. */
function takeMessage(bytes: Buffer): { readonly call: Call | null; readonly rest: Buffer } | null {
  if (bytes.length < 16) return null;
  const headerEnd = Math.ceil((16 + bytes.readUInt32LE(12)) / 8) * 8;
  const end = headerEnd + bytes.readUInt32LE(4);
  if (bytes.length < end) return null;
  const fields = new Map<number, number | string>();
  const header = readerOf(bytes.subarray(0, headerEnd));
  header.skip(12, 1);
  header.array(8, () => {
    header.align(8);
    fields.set(header.byte(), header.variant());
  });
  const isCall = bytes.readUInt8(1) === 1;
  const call: Call = {
    serial: bytes.readUInt32LE(8),
    sender: String(fields.get(7)),
    member: String(fields.get(3)),
    body: readerOf(bytes.subarray(headerEnd, end)),
  };
  return { call: isCall ? call : null, rest: bytes.subarray(end) };
}

function readShown({ body }: Call): Shown {
  const [app] = [body.text(), body.uint32(), body.text()];
  const [summary, content] = [body.text(), body.text()];
  let urgency = -1;
  body.array(4, () => void body.text());
  body.array(8, () => {
    body.align(8);
    const [name, value] = [body.text(), body.variant()];
    if (name === "urgency") urgency = Number(value);
  });
  return { app: String(app), summary, body: content, urgency };
}

/** Owns org.freedesktop.Notifications on a bus, and answers notify-send. */
async function serveNotifications(path: string, shown: Shown[]): Promise<Socket> {
  const socket = connect(path);
  await once(socket, "connect");
  socket.write(`\0AUTH EXTERNAL ${Buffer.from(String(process.getuid?.())).toString("hex")}\r\n`);
  expect(String(await once(socket, "data"))).toMatch(/^OK /);
  socket.write("BEGIN\r\n");
  const ask = (serial: number, member: string, signature: Fields, body: Buffer): void => {
    const bus: Fields = [
      [1, "o", "/org/freedesktop/DBus"],
      [2, "s", "org.freedesktop.DBus"],
      [3, "s", member],
      [6, "s", "org.freedesktop.DBus"],
    ];
    socket.write(formatMessage(1, serial, [...bus, ...signature], body));
  };
  ask(1, "Hello", [], Buffer.alloc(0));
  const name = text("org.freedesktop.Notifications");
  ask(2, "RequestName", [[8, "g", "su"]], Buffer.concat([padded(name, 4), uint32(0)]));
  let serial = 2;
  const answer = (call: Call, signature: string, body: Buffer): void => {
    const fields: Fields = [
      [5, "u", call.serial],
      [6, "s", call.sender],
      [8, "g", signature],
    ];
    serial += 1;
    socket.write(formatMessage(2, serial, fields, body));
  };
  const information = ["test", "ao", "1", "1.2"].reduce(
    (all, word) => Buffer.concat([padded(all, 4), text(word)]),
    Buffer.alloc(0),
  );
  let pending = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    for (let taken = takeMessage(pending); taken !== null; taken = takeMessage(pending)) {
      pending = Buffer.from(taken.rest);
      if (taken.call?.member === "Notify") answer(taken.call, "u", uint32(shown.push(readShown(taken.call))));
      else if (taken.call?.member === "GetServerInformation") answer(taken.call, "ssss", information);
    }
  });
  return socket;
}

interface Scene {
  readonly notifier: Notifier;
  readonly shown: readonly Shown[];
  breakDown(): void;
}

// No service folders: only the service below may answer on this bus.
function configFor(socket: string): string {
  const rules = '<allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/>';
  const policy = `<policy context="default">${rules}</policy>`;
  return `<busconfig><type>session</type><listen>unix:path=${socket}</listen>${policy}</busconfig>`;
}

async function aScene(): Promise<Scene> {
  const folder = tempDir("ao-bus-");
  const [socket, config] = [join(folder, "bus"), join(folder, "bus.conf")];
  writeFileSync(config, configFor(socket));
  const bus = spawn("dbus-daemon", [`--config-file=${config}`, "--nofork", "--print-address=1"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(() => void bus.kill());
  await once(bus.stdout, "data");
  const shown: Shown[] = [];
  const service = await serveNotifications(socket, shown);
  onTestFinished(() => void service.destroy());
  const env = { PATH: process.env["PATH"], DBUS_SESSION_BUS_ADDRESS: `unix:path=${socket}` };
  const host = createNodeHost({ log: createSilentLog(), env });
  return {
    notifier: desktop.create({}, host, { home: folder, projectPath: folder }),
    shown,
    breakDown: () => service.destroy(),
  };
}

function withoutMarkup(body: string): string {
  expect(body.replaceAll(/&(amp|lt|gt);/g, "")).not.toMatch(/[<>&]/);
  return body.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

const isLinux = process.platform === "linux";
const missing = ["notify-send", "dbus-daemon"].filter((name) => spawnSync(name, ["--version"]).status !== 0);

if (!isLinux || missing.length > 0) {
  describe("the notifier desktop on a real bus", () => {
    it.skip(`keeps its contract (skipped: ${isLinux ? `${missing.join(", ")} not installed` : "no Linux"})`);
  });
} else {
  describeNotifierContract({
    name: "the notifier desktop on a real bus",
    create: async () => {
      const { notifier, shown, breakDown } = await aScene();
      const textOf = ({ summary, body }: Shown): string => `${summary}\n${withoutMarkup(body)}`;
      return { notifier, breakDown, delivered: () => shown.map((one) => ({ text: textOf(one), key: null })) };
    },
    skip: [
      {
        test: "uses the same key for a repetition, and another for other notices",
        reason: "desktops know no key that a second notification could carry",
      },
    ],
  });

  describe("the notifier desktop on a real bus", () => {
    it("shows title, text and urgency under the name ao", async () => {
      const { notifier, shown } = await aScene();
      await notifier.send([aNotice({ priority: "urgent", title: "CI & <you>", text: "It\\n <failed>" })]);
      await notifier.send([aNotice({ priority: "info", text: "" })]);
      expect(shown).toEqual([
        { app: "ao", summary: "CI & <you>", body: "It\\n &lt;failed&gt;", urgency: 2 },
        { app: "ao", summary: "Title", body: "", urgency: 0 },
      ]);
    });

    it("is unavailable if nothing shows notifications, and reports the bus's message", async () => {
      const { notifier, breakDown } = await aScene();
      breakDown();
      await expect(notifier.send([aNotice({})])).rejects.toMatchObject({
        category: "unavailable",
        message: expect.stringContaining("org.freedesktop"),
      });
    });
  });
}
