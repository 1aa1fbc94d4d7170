import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { type Line, LineGatherer, LineSplitter } from "#wire/line.ts";
import { anyCuts, bytesOf, chunksOf, concat, textOf } from "../support/bytes.ts";

function split(chunks: readonly Uint8Array[], observedMax?: number): Line[] {
  const splitter = new LineSplitter(observedMax);
  const lines = chunks.flatMap((chunk) => splitter.push(chunk));
  const last = splitter.end();
  return last ? [...lines, last] : lines;
}

function texts(lines: readonly Line[]): string[] {
  return lines.map(({ bytes }) => (bytes ? textOf(bytes) : "(skimmed)"));
}

const mayHoldMessage = /(?=[^]*\{)[^]*(?:meth|resu|erro|[\0\\]|[^\0-~])/i;

describe("LineSplitter", () => {
  const rows: readonly (readonly [what: string, input: string, lines: readonly string[]])[] = [
    ["nothing", "", []],
    ["one line", "a\n", ["a\n"]],
    ["no final newline", "a\nb", ["a\n", "b"]],
    ["blank lines", "\n\na\n", ["\n", "\n", "a\n"]],
    ["CRLF is a byte before the newline", "a\r\nb\r\n", ["a\r\n", "b\r\n"]],
    ["a lone CR cuts nothing", "a\rb\n", ["a\rb\n"]],
    [
      "U+2028, U+2029 and U+0085 cut nothing",
      "a\u2028b\u2029c\u0085d\n",
      ["a\u2028b\u2029c\u0085d\n"],
    ],
    ["NUL cuts nothing", "a\0b\n", ["a\0b\n"]],
  ];
  for (const [what, input, lines] of rows) {
    test(what, () => {
      expect(texts(split([bytesOf(input)]))).toEqual([...lines]);
    });
  }

  const stream = fc
    .array(fc.oneof(fc.constantFrom(0x0a, 0x0d, 0x22, 0x5c, 0x7b, 0xff), fc.nat({ max: 255 })), {
      maxLength: 300,
    })
    .map((bytes) => Uint8Array.from(bytes));

  test("every chunking equals one chunk, and the lines together are the stream", () => {
    fc.assert(
      fc.property(stream, anyCuts, fc.integer({ min: 1, max: 300 }), (bytes, cuts, observedMax) => {
        const expected = split([bytes], observedMax);
        expect(split(chunksOf(bytes, cuts), observedMax)).toEqual(expected);
        expect(expected.reduce((sum, { size }) => sum + size, 0)).toBe(bytes.length);
        expect(concat(split([bytes]).map((line) => line.bytes ?? bytes))).toEqual(bytes);
      }),
    );
  });

  test("grouped, the lines are the same, and those of a run hold no message", () => {
    const short = fc
      .array(fc.constantFrom("\n", "{\n", " \r\n", "eleven chars", "{", "a", "Error", "\\u0065"), {
        maxLength: 60,
      })
      .map((pieces) => bytesOf(pieces.join("")));
    fc.assert(
      fc.property(fc.oneof(stream, short), anyCuts, (bytes, cuts) => {
        const splitter = new LineSplitter();
        const grouped = chunksOf(bytes, cuts).flatMap((chunk) => splitter.pushGrouped(chunk));
        const last = splitter.end();
        const allLines = last ? [...grouped, last] : grouped;
        const pieces = allLines.flatMap((line) => {
          const members = split([line.bytes ?? bytes]);
          expect(members).toHaveLength(line.group?.lines ?? 1);
          if (!line.group) return members;
          const mayBe = texts(members).filter(
            (text) => text.length > 12 && mayHoldMessage.test(text),
          );
          expect(mayBe).toEqual([]);
          const visible = members.filter((candidate) =>
            candidate.bytes?.some((byte) => byte > 0x20),
          );
          expect(visible).toHaveLength(line.group.nonBlank);
          return members;
        });
        expect(pieces.map(({ bytes: piece }) => piece)).toEqual(
          split([bytes]).map(({ bytes: piece }) => piece),
        );
      }),
    );
  });

  test.each([
    '{"method":""}',
    '{"Result":{}}',
    String.raw`{"\u006dethod":"x"}`,
    '{"re\u017fult":1}',
    '[{"ERROR":{}}]',
  ])("grouped, %s is a line of its own, also in UTF-16", (message) => {
    for (const encoding of ["utf8", "utf16le"] as const) {
      const text = `prose of no kind\n{"level":"info"}\n${message}\n\n\n`;
      const bytes = Buffer.from(text, encoding);
      const alone = new LineSplitter().pushGrouped(bytes).filter(({ group: run }) => !run);
      const start = Buffer.from(message, encoding).subarray(0, 12);
      expect(alone.some(({ bytes: piece }) => Buffer.from(piece ?? []).includes(start))).toBe(true);
      if (encoding === "utf8") expect(texts(alone)).toEqual([`${message}\n`]);
    }
  });

  test("every line but the last ends with the only newline in it", () => {
    fc.assert(
      fc.property(stream, (bytes) => {
        const lines = split([bytes]).map((line) => line.bytes ?? bytes);
        for (const line of lines.slice(0, -1)) expect(line.indexOf(0x0a)).toBe(line.length - 1);
      }),
    );
  });

  for (const [size, isKept] of [
    [9, true],
    [10, true],
    [11, false],
  ] as const) {
    test(`of a line of ${size} bytes with 10 observed, the bytes are ${isKept ? "kept" : "let go"}`, () => {
      const bytes = bytesOf(`${"x".repeat(size - 1)}\n`);
      for (const chunks of [[bytes], chunksOf(bytes, [3, 7])]) {
        const [line, ...more] = split(chunks, 10);
        expect(more).toEqual([]);
        expect(line?.size).toBe(size);
        expect(line?.bytes !== undefined).toBe(isKept);
        expect(line?.skim === undefined).toBe(isKept);
      }
    });
  }

  test("the line after one that was let go is kept again", () => {
    expect(texts(split([bytesOf(`${"x".repeat(50)}\nshort\n`)], 10))).toEqual([
      "(skimmed)",
      "short\n",
    ]);
  });

  test("isAtBoundary is true between two lines and nowhere else", () => {
    const splitter = new LineSplitter();
    const sizes = ["", "a", "b\n", "\n", "c\nd", "\n"].map((text) => {
      splitter.push(bytesOf(text));
      return splitter.isAtBoundary;
    });
    expect(sizes).toEqual([true, false, true, true, false, true]);
  });

  test("end gives nothing twice", () => {
    const splitter = new LineSplitter();
    splitter.push(bytesOf("torn"));
    expect(textOf(splitter.end()?.bytes)).toBe("torn");
    expect(splitter.end()).toBeUndefined();
  });
});

describe("LineGatherer", () => {
  test("puts parts together, newlines included, and begins again", () => {
    const gatherer = new LineGatherer();
    for (const piece of ["{\n", "", "}"]) gatherer.add(bytesOf(piece));
    expect(gatherer.size).toBe(3);
    expect(texts([gatherer.take()])).toEqual(["{\n}"]);
    expect(gatherer.size).toBe(0);
    expect(gatherer.take()).toMatchObject({ size: 0 });
  });

  test("keeps a line of the limit and skims one beyond it", () => {
    const gatherer = new LineGatherer(4);
    gatherer.add(bytesOf('"ab"'));
    expect(texts([gatherer.take()])).toEqual(['"ab"']);
    for (const piece of ['{"id"', ":1}"]) gatherer.add(bytesOf(piece));
    const line = gatherer.take();
    expect(line).toMatchObject({ bytes: undefined, size: 8, skim: { shape: "object" } });
  });
});
