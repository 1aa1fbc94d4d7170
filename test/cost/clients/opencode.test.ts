import { describe, expect, test } from "bun:test";
import { opencode } from "#cost/clients/opencode.ts";
import { readResult, shown, testReads } from "../../support/client-reads.ts";

testReads(
  "opencode",
  {},
  {
    text: ["Two rows"],
    "two texts": ["First.\n\nSecond."],
    "the same twice": ['{"city":"Oslo","temp":3}'],
    "different halves": ["Cold in Oslo"],
    "structured content alone": ['{"city":"Oslo","temp":3}'],
    "structured content that is null": ["Two rows"],
    "an image": ["A map", "image 640×480"],
    "an image beside structured content": ["A map", "image 640×480"],
    "an image that cannot be read": ["image of unknown size"],
    sound: [],
    "a link": [],
    "a resource with text": ["Body"],
    "a resource with bytes": ["[Binary resource: test://3 application/zip]"],
    "a block of an unknown kind": ["After"],
    nothing: [],
    // A text for the user keeps a price of its own, of which the overhead is made.
    "text for the user alone": ["Saved", "\n\nTwo rows"],
    "a tool error": ["No such\n\ncity"],
    "a tool error with structured content": ["No such city"],
    "a JSON-RPC error": ["MCP error -32602: Unknown city"],
  },
);

const note =
  "The tool call succeeded but the output was truncated. Full output saved to: /home/user/.local/share/opencode/tool-output/tool_c0863a18c001NT2RUE1NgMU4VD\nUse the Task tool to have explore agent process this file with Grep and Read (with offset/limit). Do NOT read the full file yourself - delegate to save context.";
const read = (text: string) => readResult(opencode, { content: [{ type: "text", text }] });

describe("opencode and a long answer", () => {
  test("of 51,200 bytes is whole; of one long line only a note stays", () => {
    expect(read("x".repeat(51_200)).limited).toBeUndefined();
    const { visible, limited } = read("x".repeat(51_201));
    expect(limited).toEqual({ alert: "would_spill", value: 51_201, limit: 51_200, unit: "byte" });
    const left = `\n\n...51201 bytes truncated...\n\n${note}`;
    expect(shown(visible)).toEqual([left]);
    // Measured: about 340 characters.
    expect(Math.abs(left.length - 340)).toBeLessThan(10);
  });

  test("keeps the whole lines that fit", () => {
    const line = "é".repeat(500);
    const { visible } = read(Array<string>(60).fill(line).join("\n"));
    const kept = Array<string>(51).fill(line).join("\n");
    const removed = 60 * 1_000 + 59 - (51 * 1_000 + 50);
    expect(shown(visible)).toEqual([`${kept}\n\n...${removed} bytes truncated...\n\n${note}`]);
  });
});

test("a definition keeps its schema under the server's name", () => {
  const { form, instructions } = opencode.definitions;
  expect(form({ name: "weather", inputSchema: {} }, false)).toEqual({
    name: "server_weather",
    inputSchema: {},
  });
  expect(instructions("Be kind", false)).toBe("<mcp_instructions>\nBe kind\n</mcp_instructions>");
});
