import { expect, test } from "bun:test";
import { formatWorstCaseNote, describeWorstCase } from "#screens/dash/page/format.ts";

const worst = {
  tokens: null,
  basis: "bounded",
  items: null,
  item_tokens: null,
  is_listed: true,
} as const;

test("a size, or its known parts", () => {
  expect(describeWorstCase({ ...worst, tokens: 4_400 })).toBe("~4,400");
  expect(describeWorstCase({ ...worst, items: 20, item_tokens: 30 })).toBe("20 × ~30");
  expect(describeWorstCase({ ...worst, items: 1 })).toBe("1 item");
  expect(describeWorstCase({ ...worst, item_tokens: 12_000 })).toBe("~12k per item");
  expect(describeWorstCase(worst)).toBe("no size");
  expect(describeWorstCase({ ...worst, basis: "unbounded" })).toBe("no limit");
});

test("its origin, or the limit that is missing", () => {
  expect(formatWorstCaseNote({ ...worst, tokens: 1 })).toBe("limited by its schema");
  expect(formatWorstCaseNote({ ...worst, tokens: 1, is_listed: false })).toBe(
    "limited by its locked schema",
  );
  expect(formatWorstCaseNote(worst)).toBe("declared");
  expect(formatWorstCaseNote({ ...worst, item_tokens: 30 })).toBe("no size declared");
  expect(formatWorstCaseNote({ ...worst, basis: "unbounded", item_tokens: 30 })).toBe(
    "no limit declared",
  );
});
