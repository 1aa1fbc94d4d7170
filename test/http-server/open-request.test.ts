import { expect, test } from "bun:test";
import { OpenRequest } from "#http-server/open-request.ts";
import { RequestReader } from "#http-server/request-reader.ts";
import { bytesOf, textOf } from "../support/bytes.ts";

/** A request of which these bytes have come, and the words to its client. */
function opened(text: string) {
  const reader = new RequestReader();
  reader.push(bytesOf(text));
  if (!reader.head) throw new Error("it has no head");
  const words: string[] = [];
  const request = new OpenRequest(reader.head, reader, () => void words.push("go on"));
  return { request, reader, words };
}

const head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n";

test("its body comes when it is complete", async () => {
  const { request, reader } = opened(`${head}\r\na`);
  const bodies = Promise.all([request.body(), request.body()]);
  request.advanced();
  reader.push(bytesOf("b"));
  request.advanced();
  expect((await bodies).map(textOf)).toEqual(["ab", "ab"]);
  expect(textOf(await request.body())).toBe("ab");
});

test("a body that its client will not send rejects, also one that is asked for later", async () => {
  const { request } = opened(`${head}\r\na`);
  const body = request.body();
  request.leave();
  await expect(body).rejects.toThrow("ECONNRESET");
  await expect(request.body()).rejects.toThrow("ECONNRESET");
  expect(request.leaving.hasLeft).toBe(true);
});

test("is stuck where its client waits for a word that nobody says", async () => {
  const { request, words } = opened(`${head}Expect: 100-continue\r\n\r\n`);
  expect([request.isStuck, words]).toEqual([true, []]);
  void request.body();
  expect([request.isStuck, words]).toEqual([false, ["go on"]]);
  expect(opened(`${head}Expect: 100-continue\r\n\r\nab`).request.isStuck).toBe(false);
  expect(opened(`${head}\r\n`).request.isStuck).toBe(false);
});

test("an answer that begins before the body was asked for drops the rest of it", async () => {
  const { request, reader } = opened(`${head}\r\na`);
  request.answering();
  expect(request.isAnswering).toBe(true);
  reader.push(bytesOf("b"));
  expect(reader.isComplete).toBe(true);
  expect(textOf(reader.body)).toBe("a");
});
