import { describe, expect, test } from "bun:test";
import { ReceivedBody } from "#http-client/received-body.ts";
import { waitingBodyBytesMax, waitingPiecesMax } from "#limits/http.ts";
import { bytesOf, textOf } from "../support/bytes.ts";
import { drained } from "../support/chunked.ts";

function begin() {
  const log: string[] = [];
  const body = new ReceivedBody({
    setPaused: (isPaused) => void log.push(isPaused ? "pause" : "resume"),
    giveUp: () => void log.push("give up"),
  });
  return { body, log };
}

describe("ReceivedBody", () => {
  test("what came before it is read, and what comes afterwards", async () => {
    const { body } = begin();
    body.push(bytesOf("a"));
    const all = drained(body);
    await Bun.sleep(0);
    body.push(bytesOf("b"));
    body.end();
    expect(await all).toEqual([Buffer.from("ab"), true]);
    expect(await body.read()).toEqual({ done: true });
  });

  test("all of it, only where it has ended and none was read", async () => {
    const { body } = begin();
    body.push(bytesOf("a"));
    expect(body.whole).toBeUndefined();
    body.push(bytesOf("b"));
    body.end();
    expect(textOf(body.whole)).toBe("ab");
    expect(textOf((await body.read()).value)).toBe("a");
    expect(body.whole).toBeUndefined();
  });

  test("a body that breaks off gives what came before", async () => {
    const { body } = begin();
    body.push(bytesOf("a"));
    body.fail(new Error("broke"));
    expect(await drained(body)).toEqual([Buffer.from("a"), false]);
    expect(body.whole).toBeUndefined();
    const later = begin().body;
    const reading = later.read();
    later.fail(new Error("broke"));
    expect(reading).rejects.toThrow("broke");
  });

  test("the server waits while too much does, and goes on when it is read", async () => {
    const { body, log } = begin();
    body.push(new Uint8Array(waitingBodyBytesMax - 1));
    expect(log).toEqual([]);
    body.push(bytesOf("a"));
    body.push(bytesOf("b"));
    expect(log).toEqual(["pause"]);
    await body.read();
    expect(log).toEqual(["pause", "resume"]);
  });

  test("a connection that is used again is not touched by the body before", async () => {
    const { body, log } = begin();
    body.push(new Uint8Array(waitingBodyBytesMax));
    body.end();
    await drained(body);
    expect(log).toEqual(["pause"]);
  });

  test("many small pieces are joined", async () => {
    const { body } = begin();
    for (let at = 0; at <= waitingPiecesMax; at += 1) body.push(bytesOf("a"));
    body.end();
    expect(textOf((await body.read()).value)).toBe("a".repeat(waitingPiecesMax + 1));
    expect((await body.read()).done).toBe(true);
  });

  test("a reader that stops gives the connection up, but not that of a body that has ended", async () => {
    const { body, log } = begin();
    await body.cancel();
    body.fail(new Error("closed"));
    expect(log).toEqual(["give up"]);
    expect((await body.read()).done).toBe(true);
    const ended = begin();
    ended.body.end();
    await ended.body.cancel();
    expect(ended.log).toEqual([]);
  });
});
