import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import {
  EventReader,
  type ServerEvent,
  type StreamNote,
  eventFieldBytesMax,
} from "#wire/endpoint/event-reader.ts";
import { anyCuts, bytesOf, chunksOf, textOf } from "../../support/bytes.ts";
import { lineObservedBytesMax } from "#kit/limits.ts";

function read(chunks: readonly Uint8Array[]) {
  const events: ServerEvent[] = [];
  const notes: StreamNote[] = [];
  const reader = new EventReader(
    (event) => void events.push(event),
    (note) => void notes.push(note),
  );
  for (const chunk of chunks) reader.push(chunk);
  return { events, notes, hasIds: reader.hasIds };
}

const shown = ({ line, id }: ServerEvent): readonly [string, string | undefined] => [
  line.bytes ? textOf(line.bytes) : `(${line.size} bytes)`,
  id,
];

const rows: readonly (readonly [name: string, text: string, events: ReturnType<typeof shown>[]])[] =
  [
    ["nothing", "", []],
    ["one event", "data: {}\n\n", [["{}", undefined]]],
    ["without the space", "data:{}\n\n", [["{}", undefined]]],
    ["with two spaces", "data:  {}\n\n", [[" {}", undefined]]],
    ["CRLF", "id: 7\r\ndata: {}\r\n\r\n", [["{}", "7"]]],
    [
      "CR",
      "id: 7\rdata: {}\r\rdata: 1\r\r",
      [
        ["{}", "7"],
        ["1", undefined],
      ],
    ],
    [
      "mixed endings",
      "data: 1\r\n\rdata: 2\n\r\n",
      [
        ["1", undefined],
        ["2", undefined],
      ],
    ],
    ["several lines of data", "data: {\ndata: }\ndata\ndata:\n\n", [["{\n}\n\n", undefined]]],
    [
      "a comment and unknown fields",
      ": hi\nretry: 5\nfoo\ndatas: 1\ndata: {}\n\n",
      [["{}", undefined]],
    ],
    ["the priming event", "id: 1\ndata:\n\nid: 2\ndata: \n\n", []],
    ["an event without data", "event: message\nid: 1\n\n", []],
    [
      "an id in the middle and two",
      "data: 1\nid: a\nid: b\n\ndata: 2\n\n",
      [
        ["1", "b"],
        ["2", undefined],
      ],
    ],
    ["an id with U+0000", "id: a\nid: b\0c\ndata: 1\n\n", [["1", "a"]]],
    [
      "types that are no message",
      "event: ping\ndata: {}\n\nevent: message\ndata: 1\n\nevent:\ndata: 2\n\n",
      [
        ["1", undefined],
        ["2", undefined],
      ],
    ],
    ["an unfinished event", "data: 1\n\ndata: 2\n", [["1", undefined]]],
    ["a byte order mark", "\uFEFFdata: 1\n\n\uFEFFdata: 2\n\n", [["1", undefined]]],
    [
      "CRLF inside JSON is data of its own",
      'data: {"a":\r\ndata: 1}\r\n\r\n',
      [['{"a":\n1}', undefined]],
    ],
    ["other characters", "id: é\ndata: é中\u2028\n\n", [["é中\u2028", "é"]]],
  ];

const makeEvent = (size: number) => [
  bytesOf('data: {"id":1,"result":"'),
  new Uint8Array(size - 20).fill(97),
  bytesOf('"}\n\n'),
];

const makeId = (length: number) =>
  shown(
    read([bytesOf(`id: ${"i".repeat(length)}\ndata: 1\n\n`)]).events[0] ?? expect.unreachable(),
  )[1];

describe("EventReader", () => {
  for (const [name, text, events] of rows) {
    test(`${name}, cut anywhere`, () => {
      const bytes = bytesOf(text);
      expect(read([bytes]).events.map(shown)).toEqual(events);
      const single = [...bytes].map((byte) => Uint8Array.of(byte));
      expect(read(single).events.map(shown)).toEqual(events);
    });
  }

  test("chance: a stream of any events reads alike however it is cut", () => {
    const line = fc.constantFrom(
      "data: a",
      "data:b",
      "id: 1",
      ": c",
      "",
      "data",
      "event: x",
      "junk",
    );
    const ending = fc.constantFrom("\n", "\r\n", "\r");
    const text = fc
      .array(fc.tuple(line, ending), { maxLength: 12 })
      .map((lines) => lines.flat().join(""));
    fc.assert(
      fc.property(text, anyCuts, (stream, cuts) => {
        const bytes = bytesOf(stream);
        const expected = read([bytes]).events.map(shown);
        expect(read(chunksOf(bytes, cuts)).events.map(shown)).toEqual(expected);
      }),
    );
  });

  test("knows that a stream has ids, also one of events without data", () => {
    expect(read([bytesOf("id: 1\ndata:\n\n")]).hasIds).toBe(true);
    expect(read([bytesOf("data: 1\n\n")]).hasIds).toBe(false);
  });

  test("notes the ids of events without a message, and the time before a return", () => {
    const text = "id: 1\ndata:\n\nid: 2\nevent: ping\ndata: {}\n\nretry: 250\nid: 3\ndata: 1\n\n";
    const ignored = `retry: soon\nretry: -1\nretry:\nid: ${"i".repeat(eventFieldBytesMax + 1)}\n\n`;
    for (const cut of [text.length, 1]) {
      const chunks = (text + ignored).match(new RegExp(`[^]{1,${cut}}`, "g")) ?? [];
      expect(read(chunks.map(bytesOf)).notes).toEqual([{ id: "1" }, { id: "2" }, { retryMs: 250 }]);
    }
  });

  test("row 104: keeps an event of the limit, and skims one that is longer", () => {
    const [longEvent] = read(makeEvent(lineObservedBytesMax)).events;
    expect(longEvent?.line.bytes?.length).toBe(lineObservedBytesMax);
    const [skimmed] = read(makeEvent(lineObservedBytesMax + 1)).events;
    expect(skimmed?.line).toMatchObject({ bytes: undefined, size: lineObservedBytesMax + 1 });
  });

  test("ids up to the limit are read, a longer one is none", () => {
    expect(makeId(eventFieldBytesMax)).toHaveLength(eventFieldBytesMax);
    expect(makeId(eventFieldBytesMax + 1)).toBeUndefined();
  });
});
