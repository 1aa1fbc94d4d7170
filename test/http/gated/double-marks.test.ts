import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { withoutDoubleMarks } from "#http/gated/double-marks.ts";
import { anyCuts, bytesOf, chunksOf, textOf } from "../../support/bytes.ts";
import { chunked } from "../../support/chunked.ts";

const double = "\u00EF\u00BB\u00BF";
const mark = "\uFEFF";

async function read(chunks: readonly Uint8Array[]): Promise<readonly Uint8Array[]> {
  return Array.fromAsync(withoutDoubleMarks(chunked(chunks)));
}

describe("withoutDoubleMarks", () => {
  test.each([
    [`${double}data: x`, "data: x"],
    [`${double}${double}data: x`, "data: x"],
    [`${mark}${double}data: x`, `${mark}data: x`],
    [`${double}${mark}${double}x`, `${mark}x`],
    [`${mark}${mark}${double}x`, `${mark}${mark}${double}x`],
    [`data: ${double}`, `data: ${double}`],
    [double, ""],
    ["\u00EF", "\u00EF"],
    ["", ""],
  ])("of %j, %j is left, in any chunks", async (given, left) => {
    await fc.assert(
      fc.asyncProperty(anyCuts, async (cuts) => {
        const parts = await read(chunksOf(bytesOf(given), cuts));
        expect(Buffer.concat([...parts])).toEqual(Buffer.from(bytesOf(left)));
      }),
      { numRuns: 30 },
    );
  });

  test("chunks that cannot be a mark pass at once, as they are", async () => {
    const chunks = [bytesOf(":\n\n"), bytesOf("\u00EF"), bytesOf("x")];
    expect((await read(chunks)).map(textOf)).toEqual([":\n\n", "\u00EF", "x"]);
  });
});
