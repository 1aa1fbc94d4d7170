import { sentences, UserError } from "#errors.ts";
import { servedAnswerBytesMax, servedErrorColumnsMax } from "#limits/mcp-server.ts";
import { clip } from "#text/display.ts";
import type { Tell } from "#text/teller.ts";
import { version } from "#version.ts";
import { readArguments } from "./read-arguments.ts";
import { ProtocolError, ProtocolErrorCode, Server } from "./sdk.ts";
import type { ArgumentSchema, ServedTool } from "./served-tool.ts";

/** The server of the SDK for some tools, of either era. `report` gets a sentence when the answer fails by our fault. */
export function makeServer(tools: readonly ServedTool[], report: Tell): Server {
  const server = new Server({ name: "mcp-meter", version }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({ tools: tools.map(definitionOf) }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq: { signal } }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool) {
      const known = tools.map(({ name }) => name).join(", ");
      const sentence = sentences.servedToolUnknown(clip(params.name), known);
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, sentence);
    }
    try {
      const args = readArguments(params.arguments, tool.arguments);
      return result(await tool.answer(args, () => !signal.aborted));
    } catch (error) {
      if (error instanceof UserError) return failure(error.message);
      const sentence = sentences.internalFailure(faultName(error));
      report(sentence);
      return failure(sentence);
    }
  });
  return server;
}

function definitionOf({ name, description, arguments: properties }: ServedTool) {
  return {
    name,
    description,
    inputSchema: {
      type: "object" as const,
      properties: Object.fromEntries(Object.entries(properties).map(asJson)),
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    // Claude Code, and our own profile, read the size of an answer from here.
    _meta: { "anthropic/maxResultSizeChars": servedAnswerBytesMax },
  };
}

/** The same schema in the types of the SDK, whose lists can be changed. */
function asJson([name, schema]: readonly [string, ArgumentSchema]) {
  if (schema.type === "integer") return [name, { ...schema }] as const;
  const { enum: choices, ...rest } = schema;
  return [name, choices ? { ...rest, enum: [...choices] } : rest] as const;
}

/** Its message may quote records. */
function faultName(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}

function result(text: string) {
  return { content: [{ type: "text" as const, text }] };
}

/** An error that the model reads. It may quote arguments and files, which are as long as they like. */
function failure(sentence: string) {
  return { ...result(clip(sentence, servedErrorColumnsMax)), isError: true };
}
