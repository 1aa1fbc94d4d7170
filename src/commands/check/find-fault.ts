import { findMalformation } from "#check/malformed-answer.ts";
import type { CallFault } from "#check/played-call.ts";
import { deniesTool } from "#check/unknown-tool.ts";
import { sentences } from "#errors.ts";
import type { ToolAnswer } from "#mcp-client/tool-call.ts";
import type { Clean } from "#text/one-line.ts";
import { memberAt, textAt, type JsonObject } from "#wire/json.ts";

/** The server that answers. */
export type AnswerTerms = {
  /** Its definitions, as it listed them before the calls. */
  readonly tools: readonly JsonObject[];
  /** True in the 2026 era. */
  readonly isModern: boolean;
  /** Removes secrets from a text of the server. */
  readonly clean: Clean;
};

/** A fault of the answer of a listed tool, whichever answer the call expects. */
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

/** The definition of a tool; of a name that is listed twice the last one, as clients take it. */
export function definitionOf(tools: readonly JsonObject[], name: string): JsonObject | undefined {
  return tools.findLast((one) => textAt(one, "name") === name);
}
