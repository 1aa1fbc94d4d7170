import { expect, test } from "bun:test";
import { countResult } from "#cost/price-result.ts";
import { plainReader } from "../support/plain-reader.ts";
import { askedNothing } from "../support/readings.ts";

test("a result costs the texts that its client shows", () => {
  const result = { content: [{ type: "text", text: "abc" }], structuredContent: { a: 1 } };
  const count = (client: string) => countResult(result, plainReader(client), askedNothing);
  expect(count("opencode")).toBe(1);
  // It may show both, as JSON that Python writes.
  const text = '{"annotations": null, "_meta": null, "type": "text", "text": "abc"}, ';
  expect(count("Zed")).toBe(Math.ceil(text.length / 3) + Math.ceil('{"a": 1}, '.length / 3));
  expect(count("claude-code")).toBe(3);
  // "<untrusted_context>\nabc\n</untrusted_context>"
  expect(count("gemini-cli-mcp-client")).toBe(15);
});

test("counting stops beyond what is enough", () => {
  const result = { content: [{ type: "text", text: "abc".repeat(1_000) }] };
  expect(countResult(result, plainReader("Zed"), askedNothing, 10)).toBeGreaterThan(10);
});
