import { describe, expect, test } from "bun:test";
import { opencode } from "#tokens/cost/client-profiles/opencode.ts";
import {
  readResult,
  refusal,
  shown,
  testReads,
  nullStructured,
  unknownBlock,
} from "../../../support/client-reads.ts";

testReads(
  "opencode",
  {},
  {
    text: ["Two rows"],
    "two texts": ["First.\n\nSecond."],
    "the same twice": ['{"city":"Oslo","temp":3}'],
    "different halves": ["Cold in Oslo"],
    "structured content alone": ['{"city":"Oslo","temp":3}'],
    "structured content that is null": [nullStructured],
    "an image": ["A map\n\n", "image 640×480", "Attached media from tool result:"],
    "an image beside structured content": [
      "A map\n\n",
      "image 640×480",
      "Attached media from tool result:",
    ],
    "an image that cannot be read": [
      "\n\n[1 image omitted: could not be resized below the image size limit.]",
    ],
    sound: [],
    "a link": [],
    "a resource with text": ["Body"],
    "a resource with bytes": [
      "[Binary MCP resource omitted: test://3 (application/zip, 1.5 KB) is not a supported attachment type]",
    ],
    "a block of an unknown kind": [unknownBlock],
    nothing: [],
    "text for the user alone": ["Saved", "\n\nTwo rows"],
    "a tool error": ["No such\n\ncity"],
    "a tool error with structured content": ["No such city"],
    "a JSON-RPC error": ["MCP error -32602: Unknown city"],
    "a refusal": [refusal],
    "a refusal as a JSON-RPC error": [`MCP error -31900: ${refusal}`],
  },
);

const note =
  "The tool call succeeded but the output was truncated. Full output saved to: /home/user/.local/share/opencode/tool-output/tool_c0863a18c001NT2RUE1NgMU4VD\nUse the Task tool to have explore agent process this file with Grep and Read (with offset/limit). Do NOT read the full file yourself - delegate to save context.";
const read = (text: string) => readResult(opencode, { content: [{ type: "text", text }] });

const lines = (count: number) => Array<string>(count).fill("ab").join("\n");

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
    const head = Array<string>(51).fill(line).join("\n");
    const removed = 60 * 1_000 + 59 - (51 * 1_000 + 50);
    expect(shown(visible)).toEqual([`${head}\n\n...${removed} bytes truncated...\n\n${note}`]);
  });

  test("of 2,000 lines is whole; of 2,001 the first 2,000 stay", () => {
    expect(read(lines(2_000)).limited).toBeUndefined();
    const { visible, limited } = read(lines(2_001));
    expect(limited).toEqual({ alert: "would_spill", value: 2_001, limit: 2_000, unit: "line" });
    expect(shown(visible)).toEqual([`${lines(2_000)}\n\n...1 lines truncated...\n\n${note}`]);
    // The byte limit applies before 2,000 lines are reached.
    const long = Array<string>(3_000).fill("x".repeat(99)).join("\n");
    expect(read(long).limited).toMatchObject({ limit: 51_200, unit: "byte" });
  });
});

test("an error without a text is a sentence", () => {
  const { visible } = readResult(opencode, { content: [], isError: true });
  expect(shown(visible)).toEqual(["MCP tool returned an error"]);
});

test("a definition is closed to other arguments; instructions are indented", () => {
  const { formatTool, formatInstructions } = opencode.definitions;
  expect(formatTool({ name: "weather", inputSchema: {} }, false)).toEqual({
    name: "server_weather",
    inputSchema: { type: "object", properties: {}, additionalProperties: false },
  });
  const open = { type: "object", properties: { q: {} }, additionalProperties: true };
  expect(formatTool({ name: "weather", inputSchema: open }, false)["inputSchema"]).toEqual({
    ...open,
    additionalProperties: false,
  });
  expect(formatInstructions("Be kind\nand brief", false)).toBe(
    '<mcp_instructions>\n  <server name="server">\n    Be kind\n    and brief\n  </server>\n</mcp_instructions>',
  );
});
