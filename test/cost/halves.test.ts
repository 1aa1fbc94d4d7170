import { expect, test } from "bun:test";
import { readBlocks } from "#cost/clients/block.ts";
import { findProfile } from "#cost/clients/index.ts";
import { blocksIn, halvesShown } from "#cost/halves.ts";
import { jsonPart } from "#cost/part.ts";

const forUser = { type: "text", text: "Saved", annotations: { audience: ["user"] } };
const link = { type: "resource_link", name: "one", uri: "test://1" };
const blocks = readBlocks([{ type: "text", text: "Cold" }, forUser, link], false);
const structured = jsonPart({ city: "Oslo" });

test.each([
  ["claude-code", ["beside", "structured"], ["beside", "structured"]],
  ["gemini-cli-mcp-client", ["content"], ["content"]],
  ["opencode", ["content"], ["content"]],
  ["qwen-cli-mcp-client", ["structured", "content"], ["content"]],
  ["copilot-cli", ["content", "structured"], ["content"]],
  ["jetbrains-iu-copilot-intellij", ["content", "structured"], ["content", "structured"]],
])(
  "%s shows these halves, and these of an answer that says the same twice",
  (name, both, twice) => {
    const profile = findProfile(name);
    const shown = (isTwice: boolean): readonly string[] =>
      halvesShown({ structured, isTwice, blocks }, profile);
    expect(shown(false)).toEqual(both);
    expect(shown(true)).toEqual(twice);
  },
);

test("without a second half there is one", () => {
  const alone = { isTwice: false, structured: undefined, blocks };
  expect(halvesShown(alone, { order: "both" })).toEqual(["content"]);
  const empty = { isTwice: false, structured, blocks: [] };
  expect(halvesShown(empty, { order: "content-first" })).toEqual(["structured"]);
});

function kinds(client: string, half: "content" | "beside"): readonly string[] {
  return blocksIn(half, blocks, findProfile(client)).map(({ kind }) => kind);
}

test("blocksIn leaves out the blocks that the client hides", () => {
  expect(kinds("Visual Studio Code", "content")).toEqual(["text", "link"]);
  expect(kinds("claude-code", "content")).toEqual(["text", "text", "link"]);
  expect(kinds("claude-code", "beside")).toEqual(["link"]);
  expect(kinds("codex", "beside")).toEqual([]);
});
