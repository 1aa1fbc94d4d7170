import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { Traffic } from "#check/mcp-client/traffic.ts";
import { answerBytesMax } from "#check/mcp-client/failure.ts";
import { streamAnswerEvents } from "#check/mcp-client/http-answers.ts";
import { anyCuts, bytesOf, chunksOf } from "../../support/bytes.ts";

function makeBody(chunks: readonly Uint8Array[], error?: Error): ReadableStream<Uint8Array> {
  const left = [...chunks];
  return new ReadableStream({
    pull(controller) {
      const next = left.shift();
      if (next) controller.enqueue(next);
      else if (error) controller.error(error);
      else controller.close();
    },
  });
}

async function read(
  text: string,
  { asked: request = 1, error }: { asked?: number; error?: Error } = {},
) {
  const traffic = new Traffic(() => undefined);
  const stream = streamAnswerEvents(makeBody([bytesOf(text)], error), traffic, request);
  return { text: await new Response(stream).text(), unread: traffic.unreadableAnswer };
}

const answer = 'data: {"jsonrpc":"2.0","id":1,"result":{}}\n\n';
const missing = 'data: {"jsonrpc":"2.0","id":1,"error":{"code":-31901,"message":"unreadable"}}\n\n';

describe("streamAnswerEvents", () => {
  test.each([
    ["an answer", answer, answer],
    [
      "other line ends, and data in parts",
      'data: {"jsonrpc":"2.0",\rdata:"id":1,"result":{}}\r\r',
      answer,
    ],
    ["comments and other types", `: hi\n\nevent: ping\ndata: 1\n\n${answer}`, answer],
    ["ids", `id: a\n${answer}`, `id: a\n${answer}`],
    ["ids of events without a message", `id: a\ndata:\n\n${answer}`, `id: a\ndata:\n\n${answer}`],
    ["a time that is too short", `retry: 0\n\n${answer}`, `retry: 100\n\n${answer}`],
    ["a time that is too long", `retry: 99999999999\n\n${answer}`, `retry: 60000\n\n${answer}`],
    ["what is no message", `data: junk\n\n${answer}`, answer],
    [
      "a message before it",
      `data: {"jsonrpc":"2.0","method":"a"}\n\n${answer}`,
      `data: {"jsonrpc":"2.0","method":"a"}\n\n${answer}`,
    ],
  ])("reads %s", async (_, lines, expected) => {
    expect(await read(lines)).toEqual({ text: expected, unread: undefined });
  });

  test.each([
    ["no answer", ": bye\n\n"],
    ["half an answer", answer.trimEnd()],
    ["the answer to another request", answer.replace('"id":1', '"id":2')],
  ])("ends with an error after %s", async (_, lines) => {
    const { text, unread } = await read(lines);
    expect(text).toEndWith(missing);
    expect(unread).toMatchObject({ requestId: 1, cause: "unanswered" });
  });

  test("a stream that breaks off is over, unless it can be resumed", async () => {
    const error = new Error("ECONNRESET");
    expect((await read(": hi\n\n", { error })).text).toBe(missing);
    const resumable = read("id: a\ndata:\n\n", { error });
    expect(await resumable.catch(String)).toBe("Error: ECONNRESET");
    expect(await read("id: a\ndata:\n\n")).toMatchObject({ unread: undefined });
  });

  test.each([
    [answerBytesMax, "unanswered"],
    [answerBytesMax + 1, "oversized"],
  ] as const)("%d bytes without a message: %s", async (bytes, cause) => {
    expect((await read(":".padEnd(bytes, "x"))).unread?.cause).toBe(cause);
  });

  test("nobody waits for an answer on the stream of the server's own messages", async () => {
    const stream = streamAnswerEvents(
      makeBody([bytesOf(": hi\n\n")]),
      new Traffic(() => undefined),
      undefined,
    );
    expect(await new Response(stream).text()).toBe("");
  });

  test("a reader that stops, stops the server", async () => {
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(bytesOf(answer)),
      cancel: () => void (isCancelled = true),
    });
    const reader = streamAnswerEvents(body, new Traffic(() => undefined), 1).getReader();
    await reader.read();
    await reader.cancel();
    expect(isCancelled).toBe(true);
  });

  test("chance: however a stream is cut, it reads alike", async () => {
    const piece = fc.constantFrom(
      answer,
      "id: a\ndata:\n\n",
      ": c\n\n",
      "retry: 5\n",
      "data: junk\n\n",
      "\r\n",
    );
    const text = fc.array(piece, { maxLength: 6 }).map((parts) => parts.join(""));
    await fc.assert(
      fc.asyncProperty(text, anyCuts, async (input, cuts) => {
        const traffic = new Traffic(() => undefined);
        const stream = streamAnswerEvents(makeBody(chunksOf(bytesOf(input), cuts)), traffic, 1);
        expect(await new Response(stream).text()).toBe((await read(input)).text);
      }),
    );
  });
});
