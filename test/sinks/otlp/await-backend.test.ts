import { expect, test } from "bun:test";
import { createServer } from "node:net";
import { awaitBackend } from "#sinks/otlp/await-backend.ts";
import { freePort } from "../../support/free-port.ts";
import { eventually } from "../../support/wait.ts";

/** Listens on a port of loopback until it is disposed of. */
async function listen(port: number) {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    port,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
      }),
  };
}

test("a port that listens is there at once", async () => {
  const port = freePort();
  await using server = await listen(port);
  const address = `http://127.0.0.1:${server.port}/v1/metrics`;
  expect(await awaitBackend(address, expect.unreachable)).toBe(true);
});

test("one that does not is refused once, and waited for", async () => {
  const port = freePort();
  let refusals = 0;
  const waiting = awaitBackend(`http://127.0.0.1:${port}`, () => (refusals += 1), 60_000);
  await eventually("the refusal", () => refusals > 0);
  await using server = await listen(port);
  expect([await waiting, refusals, server.port]).toEqual([true, 1, port]);
});

test("one that never does is given up", async () => {
  let refusals = 0;
  const address = `http://127.0.0.1:${freePort()}`;
  expect(await awaitBackend(address, () => (refusals += 1), 1)).toBe(false);
  expect(refusals).toBe(1);
});

test("other failures are left to those who send", async () => {
  expect(await awaitBackend("http://nowhere.invalid", expect.unreachable)).toBe(true);
});
