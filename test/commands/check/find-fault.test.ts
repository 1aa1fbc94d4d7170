import { expect, test } from "bun:test";
import { findFault } from "#commands/check/find-fault.ts";
import type { ToolAnswer } from "#mcp-client/tool-call.ts";
import { cleanNothing } from "#text/one-line.ts";

const tools = [{ name: "search" }, { name: "sum", outputSchema: { type: "object" } }];
const content = [{ type: "text", text: "a" }];
const answered: ToolAnswer = {
  isError: false,
  errorCode: null,
  isAnswered: true,
  error: null,
  result: { content },
  requestId: 1,
  line: undefined,
};
const failed: ToolAnswer = { ...answered, isError: true, result: { content, isError: true } };
const refused: ToolAnswer = { ...failed, errorCode: -32_602, result: undefined };

function faultOf(answer: ToolAnswer, tool: string) {
  return findFault(answer, tool, { tools, isModern: false, clean: cleanNothing });
}

test.each([
  ["an answer", answered, "search", undefined],
  ["an error of the tool", { ...failed, error: "no rows" }, "search", undefined],
  ["arguments that do not fit", { ...refused, error: "Invalid params" }, "search", undefined],
  [
    "a listed tool that the server does not have",
    { ...refused, error: "Tool search not found" },
    "search",
    'unknown tool, although the server lists it; the server answers "Tool search not found"',
  ],
  ["an answer without content", { ...answered, result: {} }, "search", "it has no content"],
  [
    "an answer without the structure that the definition promises",
    answered,
    "sum",
    "it has no structuredContent, although the tool has an outputSchema",
  ],
  ["no result", { ...refused, error: "no" }, "sum", undefined],
] as const)("findFault: %s", (_, answer, tool, text) => {
  expect(faultOf(answer, tool)?.text).toBe(text);
});
