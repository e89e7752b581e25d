import { connect, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { useFulfilment } from "../testing/fulfilment-bench.ts";
import { useDatabase } from "../testing/use-database.ts";
import { useWebhookDoor, type WebhookDoor } from "../testing/webhook-door.ts";

const database = useDatabase();
const { stripe, drain, state, granted } = useFulfilment(database);
const openDoor = useWebhookDoor(database);
const MEBIBYTE = 1024 * 1024;
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** Begins a request by hand: what a client of good manners would never send. */
function begin(door: WebhookDoor, headers: readonly string[]): Socket {
  const { hostname, port, pathname } = new URL(door.url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.on("error", () => {});
  socket.write(`POST ${pathname} HTTP/1.1\r\nHost: localhost\r\n${headers.join("\r\n")}\r\n\r\n`);
  return socket;
}

/** What came back until the server closed, or until it had answered. */
function answerOf(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString();
      if (text.includes("\r\n\r\n")) resolve(text);
    });
    socket.once("close", () => resolve(text));
  });
}

/** Sends pieces as fast as they are taken, until the server has had enough. Says how many mebibytes were sent. */
async function pour(socket: Socket, piece: Buffer, mebibytesMax: number): Promise<number> {
  let sent = 0;
  let isOver = false;
  socket.once("close", () => (isOver = true));
  while (!isOver && sent < mebibytesMax) {
    sent += 1;
    const isTaken = await new Promise<boolean>((resolve) => {
      socket.once("close", () => resolve(false));
      socket.write(piece, (error) => resolve(!error));
    });
    if (!isTaken) break;
  }
  return sent;
}

async function isAcceptedMeanwhile(door: WebhookDoor): Promise<void> {
  const { sessionId } = await stripe().sessions.create({ metadata: { order_id: "order_1" } });
  const event = await stripe().eventOf(sessionId, { type: "checkout.session.completed" });
  expect((await door.post(event)).status).toBe(200);
  await drain();
  expect((await state()).orders).toMatchObject([{ orderId: "order_1", state: "paid" }]);
  expect(await granted()).toEqual({ grants: 1, credits: 40n });
}

// Before a signature is checked a body is anybody's: it may cost neither memory nor anyone else's turn.
describe("a body that nobody signed", () => {
  // C81
  test("and says that it has 200 MB is refused before any of it is read, and an event is accepted meanwhile", async () => {
    const door = await openDoor();
    const socket = begin(door, [`Content-Length: ${200 * MEBIBYTE}`, "Stripe-Signature: t=1,v1=00"]);
    expect(await answerOf(socket)).toMatch(/^HTTP\/1\.1 413 /);
    expect(door.refused).toEqual(["body_too_large"]);
    await isAcceptedMeanwhile(door);
  });

  // C81
  test("and does not say how long it is is refused and closed once it is too long, with little of it kept", async () => {
    const door = await openDoor();
    const socket = begin(door, ["Transfer-Encoding: chunked", "Stripe-Signature: t=1,v1=00"]);
    const answer = answerOf(socket);
    const before = process.memoryUsage().arrayBuffers;
    const chunk = Buffer.concat([Buffer.from("100000\r\n"), Buffer.alloc(MEBIBYTE), Buffer.from("\r\n")]);
    expect(await pour(socket, chunk, 200)).toBeLessThan(100);
    // The connection is closed under a body that still comes: its sender may find it reset before it reads why.
    expect(await answer).toMatch(/^(?:HTTP\/1\.1 413 |$)/);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50 * MEBIBYTE);
    expect(door.refused).toEqual(["body_too_large"]);
    await isAcceptedMeanwhile(door);
  });

  // C81
  test("and unpacks to 200 MB is refused at the limit, not after it", async () => {
    const door = await openDoor();
    const bomb = gzipSync(Buffer.alloc(200 * MEBIBYTE));
    const before = process.memoryUsage().arrayBuffers;
    const socket = begin(door, [`Content-Length: ${bomb.length}`, "Content-Encoding: gzip"]);
    const answer = answerOf(socket);
    socket.write(bomb);
    expect(await answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50 * MEBIBYTE);
    await isAcceptedMeanwhile(door);
  });

  // C81
  test("comes a byte at a time on five hundred connections and keeps no event from being accepted", async () => {
    const door = await openDoor();
    const slow = Array.from({ length: 500 }, () => begin(door, ["Content-Length: 1000"]));
    await Promise.all(
      slow.map((socket) => new Promise<void>((resolve) => socket.write("x", () => resolve()))),
    );
    await isAcceptedMeanwhile(door);
    expect(slow.filter((socket) => socket.destroyed)).toEqual([]);
    expect(door.refused).toEqual([]);
  });
});
