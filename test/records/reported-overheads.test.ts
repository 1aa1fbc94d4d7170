import { expect, test } from "bun:test";
import { findAnswerOverheads } from "#records/reported-overheads.ts";

type Tokens = { preamble?: number; json?: number; ratio?: number; user?: number };

const row = (
  tool: string,
  output_tokens: number,
  { preamble = 0, json = 0, ratio = 0.5, user = 0 }: Tokens,
) => ({
  tool,
  output_tokens,
  overhead: {
    user_only_tokens: user,
    preamble_tokens: preamble,
    json_tokens: json,
    minified_tokens: json,
    structure_ratio: ratio,
  },
});

test("answerOverheads adds the causes up, the largest first", () => {
  const [found] = findAnswerOverheads([
    row("a", 1_000, { preamble: 100, json: 500, ratio: 0.5, user: 70 }),
  ]);
  expect(found).toEqual({
    tool: "a",
    tokens: 420,
    share: 0.42,
    causes: [
      { cause: "structure", share: 0.25 },
      { cause: "instructions", share: 0.1 },
      { cause: "user_only", share: 0.07 },
    ],
  });
});

test.each([
  ["more than 30 percent", row("a", 1_000, { preamble: 301 }), 1],
  ["30 percent", row("a", 1_000, { preamble: 300 }), 0],
  ["200 tokens", row("a", 400, { preamble: 200 }), 1],
  ["199 tokens", row("a", 400, { preamble: 199 }), 0],
  ["nothing measured", { tool: "a", output_tokens: 900, overhead: null }, 0],
  ["no answer", row("a", 0, { preamble: 900 }), 0],
])("answerOverheads of %s", (_, answer, length) => {
  expect(findAnswerOverheads([answer])).toHaveLength(length);
});

test("answerOverheads names the tools with the most first, and no share over 1", () => {
  const rows = [300, 500, 200, 400].map((tokens) => row(`${tokens}`, 210, { preamble: tokens }));
  const found = findAnswerOverheads(rows);
  expect(found.map(({ tool }) => tool)).toEqual(["500", "400", "300", "200"]);
  expect(found.map(({ share }) => share)).toEqual([1, 1, 1, 200 / 210]);
});
