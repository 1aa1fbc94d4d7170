import { isObject } from "#wire/json.ts";
import { type Part, unmeasuredMedia } from "../part.ts";
import { blockKinds } from "./block.ts";
import type {
  AnswerFacts,
  ClientFacts,
  ClientProfile,
  Limited,
  ShownText,
} from "./client-profile.ts";
import {
  libraryError,
  mediaOnly,
  nameLine,
  nothing,
  plainProfile,
  renamed,
  resourceText,
  serverName,
  usualHash,
} from "./common.ts";
import { bytesIn, frame, kilobytes, mediaOf, textOf } from "./text-pieces.ts";

const answerBytes = 20_480;
const previewCharacters = 500;

const file = `/tmp/1763769600000-copilot-tool-output-${usualHash}.txt`;

// Its images cost less than by the rule of the model.
const measuredKinds = blockKinds.filter((kind) => kind !== "image" && kind !== "resource-image");

export function copilotCli({ model = "" }: ClientFacts): ClientProfile {
  const isClaude = /claude|opus|sonnet|haiku/i.test(model);
  return {
    ...plainProfile,
    id: "both",
    names: ["copilot-cli", "copilot cli"],
    measured: { version: "1.0.102", on: "2026-11-22", kinds: measuredKinds },
    order: "content-then-structured",
    joint: "",
    blocks: {
      ...plainProfile.blocks,
      "unreadable-image": () => [
        "[MCP image omitted because its data was invalid or its MIME type unsupported]",
      ],
      audio: nothing,
      link: nothing,
      "resource-text": resourceText,
      "resource-image": mediaOnly,
      "resource-blob": ({ mimeType, bytes }) =>
        mimeType === "application/pdf" ? [unmeasuredMedia(bytes)] : [],
    },
    // Of a block of an unknown kind the whole answer is rejected, and the sentence repeats it.
    invalid: { isNullRejected: false, show: (_reason, _asked, result) => [[rejected(result)]] },
    toolError: (answer) => [reported(answer)],
    protocolError: (error) => [[`MCP server '${serverName}': McpError: ${libraryError(error)}`]],
    errorLimit: limited,
    limit: limited,
    definitions: {
      deferral: isClaude ? "always" : "never",
      form: (tool) => renamed(tool, qualified),
      listing: (tool) => nameLine(tool, qualified),
      instructions: (text) => (isClaude ? text : ""),
      loadedInstructions: () => "",
      repeatsInstructions: false,
    },
  };
}

function qualified(tool: string): string {
  return `${serverName}-${tool}`;
}

function reported(answer: AnswerFacts): ShownText {
  const texts = answer.blocks.flatMap((block): ShownText => {
    if (block.kind === "text") return block.parts;
    return block.kind === "resource-text" ? [block.text] : [];
  });
  const all = [...texts, ...(answer.structured ? [answer.structured] : [])];
  return [`MCP server '${serverName}': `, ...(all.length === 0 ? ["Tool execution failed"] : all)];
}

function rejected(result: unknown): string {
  const got = `CustomResult(CustomResult(${debugText(result)}))`;
  return `MCP server '${serverName}': MCP request failed: expected CallToolResult from tools/call, got ${got}`;
}

/** JSON as its program prints it, with the type of each value. */
function debugText(value: unknown): string {
  if (Array.isArray(value)) return `Array [${value.map(debugText).join(", ")}]`;
  if (isObject(value)) {
    const members = Object.entries(value).map(
      ([key, member]) => `${JSON.stringify(key)}: ${debugText(member)}`,
    );
    return `Object {${members.join(", ")}}`;
  }
  if (typeof value === "string") return `String(${JSON.stringify(value)})`;
  if (typeof value === "boolean") return `Bool(${value})`;
  return typeof value === "number" ? `Number(${value})` : "Null";
}

function limited(parts: readonly Part[]): Limited | undefined {
  const value = bytesIn(parts);
  if (value <= answerBytes) return undefined;
  const text = textOf(parts);
  const size = kilobytes(Buffer.byteLength(text)).replace("KB", " KB");
  const head = text.slice(0, previewCharacters);
  const left = `Output too large to read at once (${size}). Saved to: ${file}\nConsider using tools like rg (for searching), head/tail (for viewing start/end), view with view_range (for specific sections), or jq (for JSON) to examine portions of the output.\n\nPreview (first 500 chars):\n${head}`;
  const kept = [frame(left), ...mediaOf(parts)];
  return { parts: kept, alert: "would_spill", value, limit: answerBytes, unit: "byte" };
}
