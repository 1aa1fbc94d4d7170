import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { EventReader, type ServerEvent } from "#wire/endpoint/event-reader.ts";
import { formatEvent, holdEvents, inMemoryBytesMax } from "#transport/http/gated/held-events.ts";
import { passUnchanged, type MessageVerdict } from "#transport/http/verdict.ts";
import { OverflowFile } from "#state/storage/scratch-paths.ts";
import { anyCuts, bytesOf, chunksOf, concat, textOf } from "../../../support/bytes.ts";
import { chunked } from "../../../support/chunked.ts";
import { Folder } from "../../../support/folder.ts";

type Judged = (event: ServerEvent) => MessageVerdict | Promise<MessageVerdict>;

async function held(chunks: readonly Uint8Array[], judge: Judged) {
  using folder = new Folder();
  const overflow = new OverflowFile(() => folder.at(`overflow-${crypto.randomUUID()}`));
  const log: string[] = [];
  const read = { chunks: chunked(chunks), onMessageEnd: () => undefined };
  const stream = holdEvents(read, {
    judge: async (event) => judge(event),
    overflow,
    whenCaughtUp: () => undefined,
    markResumable: () => void log.push("resumable"),
  });
  const pieces: Uint8Array[] = [];
  for await (const block of stream) pieces.push(block.slice());
  return { pieces, bytes: concat(pieces), log };
}

const refusal: MessageVerdict = {
  passes: false,
  remaining: undefined,
  replies: [bytesOf('{"ours":1}\n')],
  isBatch: false,
  isLate: false,
};
const dropped: MessageVerdict = {
  passes: false,
  remaining: undefined,
  replies: [],
  isBatch: false,
  isLate: false,
};

const piece = fc.constantFrom(
  "data: {}",
  "data:x",
  "data",
  "id: 7",
  "id",
  "event: message",
  "event: other",
  ": ping",
  "retry: 5",
  "x",
  "",
  "",
);
const message = '{"jsonrpc":"2.0","method":"x"}';
const doubtfulPiece = fc.constantFrom(
  `data: ${message}`,
  `data: ${message}`,
  "data",
  ' data: {"a":1}',
  ': keepalive {"t":1}',
  "trace: {x}",
  "id: é1",
  "id: a\tb",
  "id: 2",
  "event: café",
  "event: message",
  "retry: ５",
  "",
  "",
);
const lineEnd = fc.constantFrom("\n", "\r\n", "\r");
const streamOf = (pieces: fc.Arbitrary<string>) =>
  fc
    .array(fc.tuple(pieces, lineEnd), { maxLength: 30 })
    .map((lines) => lines.map(([text, end]) => `${text}${end}`).join(""));
const anyStream = streamOf(piece);

function readByTheStandard(bytes: Uint8Array) {
  const events: (readonly [text: string, id: string | undefined])[] = [];
  const reader = new EventReader(({ line, id }) => events.push([textOf(line.bytes).trim(), id]));
  reader.push(bytes);
  return events;
}

describe("holdEvents", () => {
  test("chance: where all messages pass, the bytes are the same but for an event that is not complete", async () => {
    await fc.assert(
      fc.asyncProperty(anyStream, anyCuts, fc.boolean(), async (text, cuts, isMarked) => {
        const bytes = bytesOf(`${isMarked ? "\uFEFF" : ""}${text}`);
        const { bytes: got } = await held(chunksOf(bytes, cuts), () => passUnchanged);
        expect(textOf(bytes)).toStartWith(textOf(got));
        // The dropped bytes have no empty line, so they complete no event.
        const missing = textOf(bytes.subarray(got.length)).replaceAll(/\r\n?/g, "\n");
        expect(missing).not.toContain("\n\n");
      }),
      { numRuns: 1_000 },
    );
  });

  test("chance: no byte of a message that is withheld arrives, however the stream is cut", async () => {
    await fc.assert(
      fc.asyncProperty(anyStream, anyCuts, async (text, cuts) => {
        const secret = text
          .replaceAll("data: {}", "data: SECRET")
          .replaceAll("data:x", "data:SECRET");
        const { bytes } = await held(chunksOf(bytesOf(secret), cuts), ({ line }) =>
          textOf(line.bytes).includes("SECRET") ? refusal : passUnchanged,
        );
        // Clients ignore data of other event types.
        const isOther = secret.includes("event: other");
        if (!isOther) expect(textOf(bytes)).not.toContain("SECRET");
      }),
      { numRuns: 1_000 },
    );
  });

  test("chance: clients of the standard read the same events, whatever the lines in which only others find data", async () => {
    await fc.assert(
      fc.asyncProperty(streamOf(doubtfulPiece), anyCuts, async (text, cuts) => {
        const bytes = bytesOf(text);
        const { bytes: got } = await held(chunksOf(bytes, cuts), () => passUnchanged);
        expect(readByTheStandard(got)).toEqual(readByTheStandard(bytes));
      }),
      { numRuns: 300 },
    );
  });

  const doubtful: readonly (readonly [name: string, before: string, after: string])[] = [
    ["a comment", `: {"t":1}\ndata: ${message}\n\n`, `data: ${message}\n\n`],
    ["an unknown field", `data: ${message}\ntrace: {x}\n\n`, `data: ${message}\n\n`],
    ["an id", `id: é1\ndata: ${message}\n\n`, `id: é1\ndata: ${message}\n\n`],
    ["a type of its own", `event: café\ndata: ${message}\n\n`, `event: café\ndata: ${message}\n\n`],
    [
      "an id and a type with hidden data",
      `id: 1\u0085data: ${message}\nevent: x\u2028data: ${message}\ndata: ${message}\n\n`,
      `event: unclear\ndata: ${message}\n\n`,
    ],
    [
      "harmless values beside other fields",
      `event: message\r\nid: é\tÅ\r\nretry: 5\r\nx: y\r\ndata: ${message}\r\n\r\n`,
      `event: message\r\nid: é\tÅ\r\nretry: 5\r\nx: y\r\ndata: ${message}\r\n\r\n`,
    ],
    [
      "a long value with hidden data",
      `id: ${"x".repeat(300)}\u2028data: ${message}\ndata: ${message}\n\n`,
      `data: ${message}\n\n`,
    ],
    ["no other data", `: ${message}\n\n`, `: ${message}\n\n`],
    ["other data that is no message", `data: x\n: ${message}\n\n`, `data: x\n: ${message}\n\n`],
    [
      "half of a message",
      ` data: {"id":1,\ndata: "result":{}}\n\n`,
      ` data: {"id":1,\ndata: "result":{}}\n\n`,
    ],
  ];
  test.each(doubtful)("a line that only lenient clients read as data: %s", async (_, text, out) => {
    for (const cuts of [[], [9], [4, 12]]) {
      const { bytes } = await held(chunksOf(bytesOf(text), cuts), () => passUnchanged);
      expect(textOf(bytes)).toBe(out);
    }
  });

  test("ours follows no half of a line", async () => {
    const chunks = [": a long comment", ` {"t":1}\ndata: ${message}\n\n`].map(bytesOf);
    const { bytes } = await held(chunks, () => refusal);
    expect(textOf(bytes)).toBe('data: {"ours":1}\n\n');
  });

  test("ours takes the place of a message, with the id of its event; all else arrives as it is", async () => {
    const text =
      ": hi\n\nid: 1\nevent: message\ndata: a\ndata: b\nid: 2\n\ndata: c\n\nevent: x\ndata: d\n\n";
    const { bytes } = await held([bytesOf(text)], ({ line }) =>
      textOf(line.bytes) === "a\nb" ? refusal : passUnchanged,
    );
    expect(textOf(bytes)).toBe(
      ': hi\n\nid: 1\nevent: message\nid: 2\ndata: {"ours":1}\n\ndata: c\n\nevent: x\ndata: d\n\n',
    );
  });

  test("a message without one of ours leaves no event", async () => {
    const { bytes } = await held([bytesOf("id: 1\ndata: a\n\ndata: b\n\n")], ({ id }) =>
      id === "1" ? dropped : passUnchanged,
    );
    expect(textOf(bytes)).toBe("id: 1\n\ndata: b\n\n");
  });

  test("what is no message does not wait for a verdict", async () => {
    const waiting = Promise.withResolvers<MessageVerdict>();
    const chunks = ["id: 1\n\n", ": keep-al", "ive\n", "data: a\n\n"].map(bytesOf);
    const holding = held(chunks, () => waiting.promise);
    await Bun.sleep(1);
    waiting.resolve(passUnchanged);
    const { pieces, log } = await holding;
    expect(pieces.map(textOf).join("|")).toBe("id: 1\n\n|: keep-al|ive\n|data: a\n\n");
    expect(log).toContain("resumable");
  });

  test("an event that is longer than memory holds passes byte for byte, or not at all", async () => {
    const long = bytesOf(`data: ${"x".repeat(inMemoryBytesMax)}\n\n`);
    const chunks = chunksOf(concat([long, bytesOf("data: b\n\n")]), [5, 9, 70_000, 900_000]);
    const passing = await held(chunks, () => passUnchanged);
    expect(Buffer.compare(passing.bytes, concat(chunks))).toBe(0);
    const { bytes } = await held(chunks, ({ line }) => (line.size > 1 ? refusal : passUnchanged));
    expect(textOf(bytes)).toBe('data: {"ours":1}\n\ndata: b\n\n');
  });

  test("an event that the stream does not complete is left out", async () => {
    expect(textOf((await held([bytesOf(": a\ndata: b\n")], () => passUnchanged)).bytes)).toBe(
      ": a\n",
    );
    expect(textOf((await held([bytesOf(": a\nid: b")], () => passUnchanged)).bytes)).toBe(": a\n");
  });
});

test("formatEvent has each line of a message as a line of data", () => {
  expect(textOf(formatEvent(bytesOf('{"a":\n1}\n'), { id: "7" }))).toBe(
    'id: 7\ndata: {"a":\ndata: 1}\n\n',
  );
  expect(textOf(formatEvent(bytesOf("{}")))).toBe("data: {}\n\n");
});
