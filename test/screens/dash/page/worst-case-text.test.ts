import { expect, test } from "bun:test";
import { worstCaseNote, worstCaseText } from "#screens/dash/page/format.ts";

const worst = {
  tokens: null,
  basis: "bounded",
  items: null,
  item_tokens: null,
  is_listed: true,
} as const;

test("a size, or its known parts", () => {
  expect(worstCaseText({ ...worst, tokens: 4_400 })).toBe("~4,400");
  expect(worstCaseText({ ...worst, items: 20, item_tokens: 30 })).toBe("20 × ~30");
  expect(worstCaseText({ ...worst, items: 1 })).toBe("1 item");
  expect(worstCaseText({ ...worst, item_tokens: 12_000 })).toBe("~12k an item");
  expect(worstCaseText(worst)).toBe("no size");
  expect(worstCaseText({ ...worst, basis: "unbounded" })).toBe("no limit");
});

test("its origin, or the limit that is missing", () => {
  expect(worstCaseNote({ ...worst, tokens: 1 })).toBe("by its schema");
  expect(worstCaseNote({ ...worst, tokens: 1, is_listed: false })).toBe("by its locked schema");
  expect(worstCaseNote(worst)).toBe("declared");
  expect(worstCaseNote({ ...worst, item_tokens: 30 })).toBe("no size declared");
  expect(worstCaseNote({ ...worst, basis: "unbounded", item_tokens: 30 })).toBe(
    "no limit declared",
  );
});
