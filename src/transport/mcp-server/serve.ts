import type { Readable, Writable } from "node:stream";
import { nameError, UserError } from "#kit/errors.ts";
import { readErrorCode } from "#kit/os/file-errors.ts";
import type { Tell } from "#kit/text/teller.ts";
import { ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { clip } from "#kit/text/columns.ts";
import { version } from "#kit/version.ts";
import { findNearestName } from "#kit/text/match-names.ts";
import { isObject } from "#wire/json.ts";
import { commonSentences, formatSuggestion } from "#kit/sentences.ts";

// A table of this size has about 1,800 tokens.
export const servedAnswerBytesMax = 8_000;

const servedErrorColumnsMax = 400;

type ClientPipes = { readonly input: Readable; readonly output: Writable };

const clientLeftCodes = new Set(["EPIPE", "ECONNRESET"]);

/** Reports answers that fail because of a bug. Throws UserError if a pipe fails while the client is connected. */
export async function serve(
  tools: readonly ServedTool[],
  { input, output }: ClientPipes,
  report: Tell,
): Promise<void> {
  // Avoids Node's warning: the transport adds a listener for each answer that waits for the client.
  output.setMaxListeners(0);
  const ended = Promise.withResolvers<void>();
  const transport = new StdioServerTransport(input, output);
  let lastError: Error | undefined;
  serveStdio(() => makeServer(tools, report), {
    transport,
    onerror: (error) => {
      lastError = error;
    },
  });
  const { onclose } = transport;
  const close = (): void => {
    onclose?.();
    ended.resolve();
  };
  Object.assign(transport, { onclose: close });
  await ended.promise;
  if (input.readableEnded || lastError === undefined) return;
  // An error without a code: the transport's buffer filled up without a complete line.
  if (!("code" in lastError))
    throw new UserError(commonSentences.stdinUnreadable("a line is too long"));
  const reason = readErrorCode(lastError);
  if (clientLeftCodes.has(reason)) return;
  throw new UserError(
    input.errored === null
      ? commonSentences.stdoutUnwritable(reason)
      : commonSentences.stdinUnreadable(reason),
  );
}

function makeServer(tools: readonly ServedTool[], report: Tell): Server {
  const server = new Server({ name: "mcp-meter", version }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({ tools: tools.map(makeDefinition) }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq: { signal } }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool) {
      const toolNames = tools.map(({ name }) => name).join(", ");
      const sentence = mcpServerSentences.servedToolUnknown(clip(params.name), toolNames);
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, sentence);
    }
    try {
      const args = readArguments(params.arguments, tool.arguments);
      return makeResult(await tool.answer(args, () => !signal.aborted));
    } catch (error) {
      if (error instanceof UserError) return makeFailure(error.message);
      const sentence = commonSentences.internalFailure(nameError(error));
      report(sentence);
      return makeFailure(sentence);
    }
  });
  return server;
}

function makeDefinition({ name, description, arguments: properties }: ServedTool) {
  return {
    name,
    description,
    inputSchema: {
      type: "object" as const,
      properties: Object.fromEntries(Object.entries(properties).map(toJsonSchema)),
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    // Claude Code, and our profile of it, read the answer's size limit here.
    _meta: { "anthropic/maxResultSizeChars": servedAnswerBytesMax },
  };
}

function toJsonSchema([name, schema]: readonly [string, ArgumentSchema]) {
  if (schema.type === "integer") return [name, { ...schema }] as const;
  const { enum: choices, ...otherMembers } = schema;
  // The SDK's types want mutable lists.
  return [name, choices ? { ...otherMembers, enum: [...choices] } : otherMembers] as const;
}

function makeResult(text: string) {
  return { content: [{ type: "text" as const, text }] };
}

// The model reads the sentence, which may quote arguments and files of any length.
function makeFailure(sentence: string) {
  return { ...makeResult(clip(sentence, servedErrorColumnsMax)), isError: true };
}

/** Reads arguments in the order of their schemas; null counts as absent. Throws UserError for a wrong argument. */
export function readArguments(rawArguments: unknown, schemas: ArgumentSchemas): ServedArguments {
  if (rawArguments === undefined || rawArguments === null) return {};
  if (!isObject(rawArguments)) throw new UserError(mcpServerSentences.argumentsNotObject());
  const unknown = Object.keys(rawArguments).find((name) => !Object.hasOwn(schemas, name));
  if (unknown !== undefined) throw makeUnknownArgumentError(unknown, Object.keys(schemas));
  const args: { [name: string]: string | number } = {};
  for (const [name, schema] of Object.entries(schemas)) {
    const value = rawArguments[name] ?? null;
    if (value !== null) args[name] = readValue(name, value, schema);
  }
  return args;
}

function makeUnknownArgumentError(name: string, known: readonly string[]): UserError {
  return new UserError(
    mcpServerSentences.argumentUnknown(name, findNearestName(name, known), known.join(", ")),
  );
}

function readValue(name: string, value: unknown, schema: ArgumentSchema): string | number {
  if (schema.type === "integer") {
    const { minimum, maximum } = schema;
    const isInteger = typeof value === "number" && Number.isInteger(value);
    if (isInteger && minimum <= value && value <= maximum) return value;
    throw makeArgumentError(name, value, `a whole number from ${minimum} to ${maximum}`);
  }
  const choices = schema.enum;
  if (typeof value !== "string" || value === "")
    throw makeArgumentError(name, value, "non-empty text");
  if (!choices || choices.includes(value)) return value;
  throw makeArgumentError(name, value, `one of ${choices.join(", ")}`);
}

function makeArgumentError(name: string, value: unknown, expected: string): UserError {
  return new UserError(mcpServerSentences.argumentValue(name, JSON.stringify(value), expected));
}

export type ArgumentSchema =
  | { readonly type: "string"; readonly description?: string; readonly enum?: readonly string[] }
  | {
      readonly type: "integer";
      readonly description?: string;
      readonly minimum: number;
      readonly maximum: number;
    };

export type ArgumentSchemas = { readonly [name: string]: ArgumentSchema };

export type ServedArguments = { readonly [name: string]: string | number };

export type ServedTool = {
  readonly name: string;
  readonly description: string;
  readonly arguments: ArgumentSchemas;
  // Throws UserError for a caller's mistake. `isWanted` returns false after the client has cancelled.
  readonly answer: (args: ServedArguments, isWanted: () => boolean) => Promise<string>;
};

export const mcpServerSentences = {
  argumentsNotObject: () => `The arguments must be an object`,
  argumentUnknown: (name: string, nearest: string | undefined, known: string) =>
    `Unknown argument "${name}"${nearest === undefined ? `; known arguments are ${known}` : formatSuggestion(nearest)}`,
  argumentValue: (name: string, value: string, expected: string) =>
    `"${name}" must be ${expected}, not ${value}`,
  servedToolUnknown: (name: string, known: string) =>
    `Unknown tool "${name}"; the tools are ${known}`,
} as const;
