import { describe, expect, test } from "bun:test";
import { Bill } from "#tokens/cost/bill.ts";
import { makeAnswerContext, describeToolResult } from "#tokens/cost/visibility.ts";
import {
  chargeInput,
  chargeParts,
  pickLowerConfidence,
  makeZeroTokens,
} from "#meter/session/charge.ts";
import { plainReader } from "../../support/plain-reader.ts";
import { noRequestFacts } from "../../support/readings.ts";

const picture = { type: "image", data: "AAAA", mimeType: "image/png" };
const twice = { content: [{ type: "text", text: '{"a": 1}' }], structuredContent: { a: 1 } };

function charged(result: unknown, tokenizer: "chars3" | "chars4", client = "Zed") {
  const reader = plainReader(client, tokenizer);
  const tokens = makeZeroTokens();
  const bill = new Bill(reader.estimator);
  const charging = { bill, tokens, overhead: undefined };
  const confidence = chargeParts(
    describeToolResult(result, makeAnswerContext(reader, noRequestFacts)),
    reader,
    charging,
  );
  while (bill.charactersLeft > 0) bill.advance(1_000);
  return { ...tokens, confidence };
}

describe("chargeParts", () => {
  test("charges a text once to each sum that it belongs to", () => {
    expect(charged(twice, "chars3")).toMatchObject({ input: 0, wire: 6, visible: 3, duplicate: 3 });
  });

  test("charges the text of the client to the model, not to the wire", () => {
    // "Hi", and "<untrusted_context>\nHi\n</untrusted_context>".
    const text = { content: [{ type: "text", text: "Hi" }] };
    expect(charged(text, "chars3", "gemini-cli-mcp-client")).toMatchObject({
      wire: 1,
      visible: 15,
    });
  });

  test("charges an image that cannot be measured with less confidence", () => {
    const { wire, visible, confidence } = charged({ content: [picture] }, "chars3");
    expect([wire > 0, visible === wire, confidence]).toEqual([true, true, "low"]);
  });

  test("charges the halves that an unknown client may show to the sum of budgets", () => {
    // "Hi" has a token, {"a":1} three.
    const both = { content: [{ type: "text", text: "Hi" }], structuredContent: { a: 1 } };
    expect(charged(both, "chars3")).toMatchObject({ wire: 4, visible: 1, most: 4 });
    expect(charged(both, "chars3", "opencode")).toMatchObject({ wire: 4, visible: 1, most: 1 });
    // The same JSON with a space: some clients show both.
    expect(charged(twice, "chars3")).toMatchObject({ wire: 6, visible: 3, most: 6 });
    const compact = { ...twice, content: [{ type: "text", text: '{"a":1}' }] };
    expect(charged(compact, "chars3")).toMatchObject({ wire: 6, visible: 3, most: 3 });
    // The list with its text costs 16 by the estimator that prices it whole.
    expect(charged(both, "chars4")).toMatchObject({ visible: 16, most: 16 + 2 });
  });

  test("charges the texts that a client compares with its limit, in the half that it shows", () => {
    const rows = "y".repeat(60_000);
    const both = { content: [{ type: "text", text: rows }], structuredContent: { rows } };
    const { wire, compared, visible } = charged(both, "chars3", "claude-code");
    expect([wire, compared]).toEqual([20_000 + 20_004, 20_004]);
    expect(visible).toBeLessThan(1_000);
  });

  test("charges content as a whole where the estimator prices it so", () => {
    const { wire, visible } = charged({ content: [{ type: "text", text: "Hi" }] }, "chars4");
    // Two characters, 20 for the block and 40 for the list, by four.
    expect([wire, visible]).toEqual([16, 16]);
  });
});

test("chargeInput charges texts when they are counted, and media at once", () => {
  const reader = plainReader(undefined);
  const tokens = makeZeroTokens();
  const bill = new Bill(reader.estimator);
  const size = { width: 1_024, height: 1_024 };
  const media = [{ kind: "image", size, bytes: 33 }] as const;
  expect(chargeInput({ tool: null, input: ["abcdef"], media }, reader, { bill, tokens })).toBe(
    "low",
  );
  expect(tokens.input).toBe(1_229);
  bill.advance(10);
  expect(tokens.input).toBe(1_229 + 2);
});

test("lower is the lower of two confidences", () => {
  expect([
    pickLowerConfidence("high", "medium"),
    pickLowerConfidence("low", "high"),
    pickLowerConfidence("medium", "medium"),
  ]).toEqual(["medium", "low", "medium"]);
});
