import { expect, test } from "bun:test";
import { describeCut } from "#meter/actions/fit-result.ts";
import { readBlocks } from "#tokens/cost/client-profiles/block.ts";

const blocks = readBlocks(
  [
    { type: "image", data: "AAAA", mimeType: "image/png" },
    { type: "image", data: "AAAA", mimeType: "image/bmp" },
    { type: "audio", data: "AAAA", mimeType: "audio/wav" },
    { type: "resource_link", name: "one", uri: "test://1" },
  ],
  false,
);

function rest(shown: number, all: number, others = 0, losesStructured = false): string {
  return describeCut(
    { shown, total: all },
    { blocksWithoutText: blocks.slice(0, others), losesStructured },
  );
}

test("describeCut says how much is left of how much, and what is missing besides", () => {
  expect(rest(1_200, 3_000)).toBe("cut after 1,200 of 3,000 characters");
  expect(rest(0, 1)).toBe("cut after 0 of 1 character");
  expect(rest(5, 9, 4)).toBe(
    "cut after 5 of 9 characters and shown without 2 images, 1 sound and 1 link",
  );
  expect(rest(5, 5, 1)).toBe("shown without 1 image");
  expect(rest(0, 0, 2, true)).toBe("shown without 2 images and structuredContent");
  expect(rest(5, 5)).toBe("");
});
