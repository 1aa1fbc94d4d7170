import {
  type Skim,
  frameTextBytesMax,
  skimMembersMax,
  skimBytes,
  Skimmer,
  skimTextBytesMax,
  findMember,
  readSkimmedText,
} from "#wire/skimmer.ts";
import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { anyCuts, bytesOf, chunksOf } from "../support/bytes.ts";

function skimChunks(chunks: readonly Uint8Array[]): Skim {
  const skimmer = new Skimmer();
  for (const chunk of chunks) skimmer.push(chunk);
  return skimmer.skim();
}

const indents: fc.Arbitrary<number | undefined> = fc.constantFrom(undefined, 2);

const hardText = fc.array(
  fc.constantFrom('"', "\\", "{", "}", "[", "]", ",", ":", "a", "é", "\n", "\u{1f600}"),
  {
    maxLength: 8,
  },
);
const hardString = hardText.map((pieces) => pieces.join(""));
const anyObject = fc.dictionary(
  fc.oneof(hardString, fc.constantFrom("id", "method")),
  fc.oneof(hardString, fc.jsonValue({ maxDepth: 3 })),
  { maxKeys: 6 },
);

describe("skimBytes", () => {
  test("agrees with JSON.parse about every member, whatever the chunks and the white space", () => {
    fc.assert(
      fc.property(anyObject, indents, anyCuts, (object, indent, cuts) => {
        const text = JSON.stringify(object, undefined, indent);
        const skim = skimChunks(chunksOf(bytesOf(text), cuts));
        const parsed: unknown = JSON.parse(text);
        const members = skim.members.map(({ key, text: value }): [string, unknown] => [
          key,
          JSON.parse(value ?? "null"),
        ]);
        const isComplete = skim.members.every(({ text: value }) => value !== undefined);
        expect({ shape: skim.shape, closed: skim.isClosed }).toEqual({
          shape: "object",
          closed: true,
        });
        if (isComplete) expect(new Map(members)).toEqual(new Map(Object.entries(Object(parsed))));
      }),
    );
  });

  test("is the same whatever the chunks, also of what is no JSON", () => {
    const bytes = fc.array(
      fc.oneof(fc.constantFrom(...bytesOf('{}[]",:\\ a')), fc.nat({ max: 255 })),
    );
    fc.assert(
      fc.property(bytes, anyCuts, (list, cuts) => {
        const isComplete = Uint8Array.from(list);
        expect(skimChunks(chunksOf(isComplete, cuts))).toEqual(skimBytes(isComplete));
      }),
    );
  });

  test("counts depth and structures as they are outside strings", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        const bare = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, "");
        const skim = skimBytes(bytesOf(text));
        expect(skim.structures).toBe(bare.replaceAll(/[^[{,]/g, "").length);
        expect(skim.depth).toBe(measureDepth(value));
        expect(skim.isClosed).toBe(true);
      }),
    );
  });

  const shapes: readonly (readonly [text: string, shape: Skim["shape"], closed: boolean])[] = [
    ["", "other", true],
    ["  \r\n", "other", true],
    ["null", "other", true],
    [":{}", "other", true],
    ["{", "object", false],
    [' {"a":1}', "object", true],
    ["[1]", "array", true],
    ["[1", "array", false],
    ['"[', "other", true],
    ['{"a":"\\"}', "object", false],
    ['{"a":"\\\\"}', "object", true],
  ];
  for (const [text, shape, closed] of shapes) {
    test(`${JSON.stringify(text)} is ${shape}, ${closed ? "closed" : "open"}`, () => {
      expect(skimBytes(bytesOf(text))).toMatchObject({ shape, isClosed: closed });
    });
  }

  test("start and end are where the value lies", () => {
    const bytes = bytesOf('{"é": 1 ,"b":[ 2 ]}');
    const values = skimBytes(bytes).members.map(({ start, end }) =>
      new TextDecoder().decode(bytes.subarray(start, end)),
    );
    expect(values).toEqual([" 1 ", "[ 2 ]"]);
  });

  for (const [key, length, isKept] of [
    ["x", skimTextBytesMax, true],
    ["x", skimTextBytesMax + 1, false],
    ["id", frameTextBytesMax, true],
    ["id", frameTextBytesMax + 1, false],
  ] as const) {
    test(`a value of ${length} bytes of "${key}" is ${isKept ? "kept" : "dropped"}`, () => {
      const value = JSON.stringify("x".repeat(length - 2));
      const member = findMember(skimBytes(bytesOf(`{"${key}":${value}}`)), key);
      expect(member?.text).toBe(isKept ? value : undefined);
      expect(member && member.end - member.start).toBe(length);
    });
  }

  test("the frame is found behind any white space and any number of members", () => {
    const blanks = " ".repeat(4 * skimTextBytesMax);
    const otherMembers = makeMembers(2 * skimMembersMax).slice(1, -1);
    const frame = `"jsonrpc":"1.0",${blanks}"jsonrpc"${blanks}:${blanks}"2.0"${blanks},"\\u0069d":${blanks}7${blanks}`;
    const skim = skimBytes(bytesOf(`\ufeff${blanks}{${otherMembers},${frame},"result":{}}`));
    expect(findMember(skim, "jsonrpc")?.text).toBe('"2.0"');
    expect(findMember(skim, "id")?.text).toBe("7");
    expect(findMember(skim, "result")?.text).toBe("{}");
  });

  for (const [params, name] of [
    ['{"arguments":{"name":"inner"},"name":"outer"}', '"outer"'],
    ['{"name":"first","name" : "last" ,"a":[{"name":1}]}', '"last"'],
    ['{"na\\u006de":"escaped"}', '"escaped"'],
    ['["name","list"]', undefined],
    ['{"name":{"name":"deep"}}', '{"name":"deep"}'],
    ["{}", undefined],
  ] as const) {
    test(`params.name of ${params} is ${name}, however it is cut`, () => {
      const bytes = bytesOf(`{"name":"top","params":${params},"id":1}`);
      expect(skimBytes(bytes).subjects.get("name")).toBe(name);
      const skim = skimChunks([...bytes].map((byte) => Uint8Array.of(byte)));
      expect(skim.subjects.get("name")).toBe(name);
    });
  }

  test("the last params decide about the name, as in JSON.parse", () => {
    const { subjects } = skimBytes(bytesOf('{"params":{"name":"a","taskId":"b"},"params":{}}'));
    expect([...subjects]).toEqual([]);
  });

  test("the subjects of a request are its tool, its task and its round of input", () => {
    const long = "x".repeat(frameTextBytesMax);
    const params = `{"taskId":"t","name":7,"requestState":"s","taskId" : "u","requestState":"${long}","uri":"v"}`;
    const skim = skimBytes(bytesOf(`{"params":${params}}`));
    expect([...skim.subjects]).toEqual([
      ["taskId", '"u"'],
      ["name", "7"],
    ]);
    expect(["taskId", "name", "requestState"].map((key) => readSkimmedText(skim, key))).toEqual([
      "u",
      undefined,
      undefined,
    ]);
  });

  test(`members beyond ${skimMembersMax} are not remembered`, () => {
    expect(skimBytes(bytesOf(makeMembers(skimMembersMax))).members).toHaveLength(skimMembersMax);
    expect(skimBytes(bytesOf(makeMembers(skimMembersMax + 1))).members).toHaveLength(
      skimMembersMax,
    );
  });

  test("a text that begins as no message does is not read further, whatever the chunks", () => {
    const behindText = ["x", '"log" ', ",", "]", "}", ":"].map((text) => `${text}{"id":1}`);
    for (const text of ["aaaa", "-1", "true", ...behindText]) {
      for (const cut of [0, 1, 2]) {
        const skimmer = new Skimmer();
        for (const piece of [text.slice(0, cut), text.slice(cut)]) skimmer.push(bytesOf(piece));
        expect(skimmer.skim()).toMatchObject({ shape: "other", members: [], isClosed: true });
      }
    }
    // White space to clients, but not in JSON.
    expect(skimBytes(bytesOf("\u00a0[[")).depth).toBe(2);
  });

  test("five million levels cost neither stack nor time", () => {
    const skim = skimBytes(bytesOf(`{"id":7,"x":${"[".repeat(1_000_000)}`));
    expect(findMember(skim, "id")?.text).toBe("7");
    expect(skim).toMatchObject({ depth: 1_000_001, isClosed: false });
  });
});

function measureDepth(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(measureDepth));
}

function makeMembers(count: number): string {
  return `{${[...Array(count).keys()].map((at) => `"m${at}":${at}`).join(",")}}`;
}
