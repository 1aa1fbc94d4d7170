import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Socket } from "node:net";
import { RedisConnection } from "#state/stores/redis/connection.ts";
import { readErrorCode } from "#kit/os/file-errors.ts";
import { answerTimeoutDefaultMs, parseRedisAddress } from "#state/stores/redis/address.ts";
import { freePort } from "../../../support/free-port.ts";
import { FakeRedis, hasRedis, RedisServer } from "../../../support/redis.ts";

const open = (url: string): Promise<RedisConnection> =>
  RedisConnection.open({ address: parseRedisAddress(url) });

async function catchFault(act: () => Promise<unknown>): Promise<string> {
  try {
    await act();
    return "none";
  } catch (error) {
    return readErrorCode(error);
  }
}

const ok = (socket: Socket, chunks: number): boolean => chunks === 1 && socket.write("+OK\r\n");

describe("RedisConnection", () => {
  test("a port that nobody listens on is refused", async () => {
    const port = freePort();
    expect(await catchFault(() => open(`redis://127.0.0.1:${port}`))).toBe("ECONNREFUSED");
  });

  test.each([
    ["nonsense", "HTTP/1.1 400 Bad Request\r\n\r\n", "not a Redis reply"],
    ["an answer that was not asked for", "+OK\r\n+OK\r\n", "not a Redis reply"],
    ["a length beyond every limit", "$2000000000\r\n", "not a Redis reply"],
    ["an error", "-LOADING Redis is loading\r\n", "LOADING"],
  ])("%s: %p", async (_, text, code) => {
    await using fake = await FakeRedis.start((socket) => void socket.write(text));
    expect(
      await catchFault(async () => {
        const connection = await open(fake.url);
        await connection.send(["PING"]);
      }),
    ).toBe(code);
  });

  test("no answer is waited for in vain, and then the connection is over", async () => {
    await using fake = await FakeRedis.start((socket, chunks) => void ok(socket, chunks));
    const connection = await open(fake.url);
    const startedMs = performance.now();
    const faults = [["PING"], ["PING"]].map((words) => catchFault(() => connection.send(words)));
    expect(await Promise.all(faults)).toEqual(["ETIMEDOUT", "ETIMEDOUT"]);
    expect(performance.now() - startedMs).toBeGreaterThan(0.9 * answerTimeoutDefaultMs);
    expect(await catchFault(() => connection.send(["PING"]))).toBe("ETIMEDOUT");
  });

  test("a longer wait takes an answer that would come too late", async () => {
    await using fake = await FakeRedis.start((socket, chunks) => {
      if (!ok(socket, chunks))
        setTimeout(() => socket.write("+PONG\r\n"), 1.5 * answerTimeoutDefaultMs);
    });
    const address = parseRedisAddress(fake.url);
    const connection = await RedisConnection.open({
      address,
      timeoutMs: 40 * answerTimeoutDefaultMs,
    });
    expect(await connection.send(["PING"])).toBe("PONG");
    connection.close();
  });

  test("an answer without an end takes no more memory than the limit", async () => {
    await using fake = await FakeRedis.start((socket, chunks) => {
      if (ok(socket, chunks)) return;
      socket.write("$4000000\r\n");
      for (let chunk = 0; chunk < 64; chunk += 1) socket.write(Buffer.alloc(1 << 20, 120));
    });
    const connection = await open(fake.url);
    const fault = await catchFault(() => connection.send(["GET", "x"]));
    expect(["not a Redis reply", "ETIMEDOUT"]).toContain(fault);
  });

  test("a connection that the other side ends has no answers", async () => {
    await using fake = await FakeRedis.start((socket, chunks) => {
      if (!ok(socket, chunks)) socket.destroy();
    });
    const connection = await open(fake.url);
    expect(await catchFault(() => connection.send(["PING"]))).toBe("ECONNRESET");
  });

  test.each([
    ["redis", "CLOSED_AT_START"],
    ["rediss", "CLOSED_TLS"],
  ])("a %s:// connection that is closed before the first answer", async (scheme, code) => {
    await using fake = await FakeRedis.start((socket) => void socket.destroy());
    expect(await catchFault(() => open(`${scheme}://127.0.0.1:${fake.port}`))).toBe(code);
  });

  test("one that does not answer to TLS in time, and one that does not answer at all", async () => {
    await using fake = await FakeRedis.start(() => undefined);
    expect(await catchFault(() => open(`rediss://127.0.0.1:${fake.port}`))).toBe("TLS_TIMEOUT");
    expect(await catchFault(() => open(fake.url))).toBe("ETIMEDOUT");
  });

  test("errors at the login that have no word of their own", async () => {
    await using fake = await FakeRedis.start((socket) => void socket.write("-ERR\r\n"));
    expect(await catchFault(() => open(`${fake.url}/99`))).toBe("NO_DATABASE");
    expect(await catchFault(() => open(`redis://:a@127.0.0.1:${fake.port}`))).toBe("NO_PASSWORD");
  });

  test("a user who may not choose a database has the one of the beginning", async () => {
    await using fake = await FakeRedis.start((socket) => void socket.write("-NOPERM a\r\n"));
    const connection = await open(fake.url);
    connection.close();
    expect(await catchFault(() => open(`${fake.url}/1`))).toBe("NOPERM");
  });

  test("a process that was stopped reads the answer that came meanwhile", async () => {
    await using fake = await FakeRedis.start((socket, chunks) => {
      if (!ok(socket, chunks)) socket.write("+PONG\r\n");
    });
    const connection = await open(fake.url);
    const answer = connection.send(["PING"]);
    Bun.sleepSync(2 * answerTimeoutDefaultMs);
    expect(await answer).toBe("PONG");
    connection.close();
  });
});

const isThere = hasRedis("connections to Redis");
let redis: RedisServer | undefined;
beforeAll(async () => {
  if (isThere) redis = await RedisServer.start("--requirepass", "s3:c/ret@");
});
afterAll(() => redis?.[Symbol.asyncDispose]());

const at = (login: string, database = ""): string =>
  `redis://${login}127.0.0.1:${redis?.port}${database}`;

describe.if(isThere)("a Redis with a password", () => {
  test.each([
    ["none", "", "NOAUTH"],
    ["another", ":wrong@", "WRONGPASS"],
    ["the password of another user", "ann:s3%3Ac%2Fret%40@", "WRONGPASS"],
    ["its own", ":s3%3Ac%2Fret%40@", "none"],
  ])("%s", async (_, login, code) => {
    expect(await catchFault(async () => (await open(at(login))).close())).toBe(code);
  });

  test("a user of its own, and a database", async () => {
    redis?.ask("-a", "s3:c/ret@", "ACL", "SETUSER", "ann", "on", ">word", "~mcp-meter:*", "+@all");
    const connection = await open(at("ann:word@", "/3"));
    expect(await connection.send(["CLIENT", "INFO"])).toContain("db=3");
    expect(await catchFault(() => connection.send(["GET", "other"]))).toBe("NOPERM_KEYS");
    connection.close();
  });
});
