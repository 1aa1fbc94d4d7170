import { findMalformation } from "#check/malformed-answer.ts";
import type { CallFault } from "#check/played-call.ts";
import { deniesTool } from "#check/unknown-tool.ts";
import { sentences } from "#errors.ts";
import type { ToolAnswer } from "#mcp-client/tool-call.ts";
import type { Clean } from "#text/one-line.ts";
import { memberAt, textAt, type JsonObject } from "#wire/json.ts";

export type AnswerTerms = {
  readonly tools: readonly JsonObject[];
  readonly isModern: boolean;
  readonly clean: Clean;
};

export function findFault(
  { isError, errorCode, error, result }: ToolAnswer,
  tool: string,
  { tools, isModern, clean }: AnswerTerms,
): CallFault | undefined {
  const said = { code: errorCode, text: error ?? "" };
  if (isError && deniesTool(said, tool)) {
    return { rule: "unknown_tool", text: sentences.toolDenied(said.text) };
  }
  if (result === undefined) return undefined;
  const hasOutputSchema = memberAt(definitionOf(tools, tool), "outputSchema") !== undefined;
  const text = findMalformation(result, { hasOutputSchema, isModern, clean });
  return text === undefined ? undefined : { rule: "malformed_answer", text };
}

/** Of a name listed twice, clients take the last definition. */
export function definitionOf(tools: readonly JsonObject[], name: string): JsonObject | undefined {
  return tools.findLast((one) => textAt(one, "name") === name);
}
