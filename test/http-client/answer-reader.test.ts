import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import type { ServerAnswer } from "#http-client/answer.ts";
import { AnswerReader } from "#http-client/answer-reader.ts";
import { anyCuts, bytesOf, chunksOf, textOf } from "../support/bytes.ts";
import { drained } from "../support/chunked.ts";

/** A reader, and the answer when it has begun. */
function begin(method = "POST") {
  const answers: ServerAnswer[] = [];
  const reader = new AnswerReader({
    method,
    answered: (answer) => void answers.push(answer),
    setPaused: () => undefined,
    giveUp: () => undefined,
  });
  return { reader, answers };
}

async function textIn(answer: ServerAnswer | undefined) {
  if (!answer?.body) return answer && "no body";
  const [bytes, isWhole] = await drained(answer.body);
  return `${textOf(bytes)}${isWhole ? "" : " (broke)"}`;
}

const ok = "HTTP/1.1 200 OK\r\n";

describe("AnswerReader", () => {
  test.each([
    ["by its length", `${ok}content-length: 4\r\n\r\nbody`, "body", undefined],
    ["empty", `${ok}content-length: 0\r\n\r\n`, "", undefined],
    [
      "in chunks",
      `${ok}transfer-encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n`,
      "body",
      undefined,
    ],
    ["kept for a time", `${ok}keep-alive: timeout=7\r\ncontent-length: 0\r\n\r\n`, "", 7],
    ["closed", `${ok}connection: close\r\ncontent-length: 1\r\n\r\na`, "a", 0],
    ["HTTP/1.0", "HTTP/1.0 200 OK\r\ncontent-length: 1\r\n\r\na", "a", 0],
    ["with more behind it", `${ok}content-length: 1\r\n\r\nab`, "a", 0],
    [
      "after others",
      `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103\r\nLink: x\r\n\r\n${ok}content-length: 1\r\n\r\na`,
      "a",
      undefined,
    ],
    ["without a body", "HTTP/1.1 204 No Content\r\n\r\n", "no body", undefined],
    [
      "without a body, which says so",
      "HTTP/1.1 204 No Content\r\ncontent-length: 0\r\n\r\n",
      "no body",
      undefined,
    ],
    [
      "without a body that it announces",
      "HTTP/1.1 204 No Content\r\ncontent-length: 2\r\n\r\n",
      "no body",
      0,
    ],
    [
      "without the chunks that it announces",
      "HTTP/1.1 304 Not Modified\r\ntransfer-encoding: chunked\r\n\r\n",
      "no body",
      0,
    ],
  ] as const)(
    "%s: the same body and the same fate of the connection, however it is cut",
    async (_, text, body, kept) => {
      await fc.assert(
        fc.asyncProperty(anyCuts, async (cuts) => {
          const { reader, answers } = begin();
          for (const chunk of chunksOf(bytesOf(text), cuts)) reader.push(chunk);
          expect(reader.isOver).toBe(true);
          expect(answers).toHaveLength(1);
          expect(await textIn(answers[0])).toBe(body);
          expect(reader.keptSeconds).toBe(kept);
        }),
      );
    },
  );

  test("a body that came with its head is whole at once", () => {
    const { reader, answers } = begin();
    reader.push(bytesOf(`${ok}content-length: 4\r\n\r\nbody`));
    expect(textOf(answers[0]?.body?.whole)).toBe("body");
  });

  test("a body without a length ends with the connection", async () => {
    const { reader, answers } = begin();
    reader.push(bytesOf(`${ok}\r\nbo`));
    reader.push(bytesOf("dy"));
    expect(reader.isOver).toBe(false);
    reader.end();
    expect([reader.isOver, reader.keptSeconds]).toEqual([true, 0]);
    expect(await textIn(answers[0])).toBe("body");
  });

  test.each([
    `${ok}content-length: 5\r\n\r\nbody`,
    `${ok}transfer-encoding: chunked\r\n\r\n4\r\nbody\r\n`,
  ])("%j that ends there breaks off", async (text) => {
    const { reader, answers } = begin();
    reader.push(bytesOf(text));
    expect(() => reader.end()).toThrow("ECONNRESET");
    expect(reader.fail(new Error("it broke"))).toBe(true);
    expect(await textIn(answers[0])).toBe("body (broke)");
  });

  test("a body that is wrong from its start on breaks off behind its head", async () => {
    const { reader, answers } = begin();
    const text = `${ok}transfer-encoding: chunked\r\n\r\nzz\r\n`;
    expect(() => reader.push(bytesOf(text))).toThrow("HPE_INVALID_ANSWER");
    expect(reader.fail(new Error("it broke"))).toBe(true);
    expect(await textIn(answers[0])).toBe(" (broke)");
  });

  test("without a head there is no answer", () => {
    const { reader, answers } = begin();
    reader.push(bytesOf("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 2"));
    expect(() => reader.end()).toThrow("ECONNRESET");
    expect(reader.fail(new Error("it broke"))).toBe(false);
    expect(answers).toEqual([]);
  });

  test("an upgrade that nobody wanted is not valid", () => {
    const text = "HTTP/1.1 101 Switching Protocols\r\n\r\n";
    expect(() => begin().reader.push(bytesOf(text))).toThrow("HPE_INVALID_ANSWER");
  });

  test("the waiting bytes of a body hold no others: chunks with long extensions, and many short ones", async () => {
    const extension = `;${"x".repeat(4_000)}`;
    for (const chunk of [`1${extension}\r\na\r\n`, "1\r\na\r\n"]) {
      const { reader, answers } = begin();
      reader.push(bytesOf(`${ok}transfer-encoding: chunked\r\n\r\n`));
      reader.push(bytesOf(chunk.repeat(100)));
      const { value } = (await answers[0]?.body?.read()) ?? {};
      expect(textOf(value)).toBe("a".repeat(100));
      expect(value?.buffer.byteLength).toBe(100);
    }
  });

  test("the answer to HEAD has no body, whatever its length", async () => {
    const { reader, answers } = begin("HEAD");
    reader.push(bytesOf(`${ok}content-length: 5\r\n\r\n`));
    expect(reader.isOver).toBe(true);
    expect(await textIn(answers[0])).toBe("no body");
    // A server may still send it.
    expect(reader.keptSeconds).toBe(0);
  });
});
