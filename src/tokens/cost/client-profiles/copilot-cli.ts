import { attempt } from "#kit/errors.ts";
import { isObject, type JsonObject, readMember, readString } from "#wire/json.ts";
import { type Part, makeUnmeasuredMedia, type Block, blockKinds } from "./block.ts";
import type {
  AnswerFacts,
  ClientDetails,
  ClientProfile,
  LimitedAnswer,
  ShownItem,
} from "./client-profile.ts";
import {
  formatLibraryError,
  mapSchemas,
  formatNameLine,
  renderNothing,
  plainProfile,
  renameTool,
  renderResourceText,
  serverName,
  typicalHash,
  countBytes,
  formatKilobytes,
  pickMedia,
  joinText,
  replaceTexts,
} from "./common.ts";
import { isUnrecognizedResult } from "./rejections.ts";

const omittedImage =
  "[MCP image omitted because its data was invalid or its MIME type unsupported]";

const answerBytes = 20_480;
const previewCharacters = 500;

const file = `/tmp/1763769600000-copilot-tool-output-${typicalHash}.txt`;

// Readable images are left out: models of custom providers get no images, and GitHub's models were not measured
// with images.
const measuredKinds = blockKinds.filter((kind) => kind !== "image" && kind !== "resource-image");

export function copilotCli({ model = "" }: ClientDetails): ClientProfile {
  const isClaude = /claude|opus|sonnet|haiku/i.test(model);
  return {
    ...plainProfile,
    recordedAs: "both",
    client: "copilot-cli",
    names: ["copilot-cli", "copilot cli"],
    measured: { version: "1.0.102", on: "2026-11-26", kinds: measuredKinds },
    order: "content-then-structured",
    separator: "",
    blocks,
    renderRejection: (result) => (isRejected(result) ? [[reportUnexpected(result)]] : undefined),
    renderToolError: (answer) => [reportError(answer)],
    renderProtocolError: (error) => [
      [`MCP server '${serverName}': McpError: ${formatLibraryError(error)}`],
    ],
    limitError: limitAnswer,
    limitAnswer,
    definitions: {
      ...plainProfile.definitions,
      deferral: isClaude ? "always" : "never",
      formatTool: (tool) => describeConstraints(renameTool(tool, qualifyName)),
      formatListing: (tool) => formatNameLine(tool, qualifyName),
      formatInstructions: (text) => (isClaude ? text : ""),
      sortsTools: true,
    },
  };
}

const blocks: ClientProfile["blocks"] = {
  ...plainProfile.blocks,
  text: ({ parts, text }, { structured }) => {
    const json =
      !structured && isJsonLike(text) ? attempt(() => JSON.stringify(JSON.parse(text))) : undefined;
    return json === undefined ? parts : [json];
  },
  image: renderImage,
  "unreadable-image": renderImage,
  audio: renderNothing,
  link: renderNothing,
  "resource-text": renderResourceText,
  "resource-image": renderImage,
  "resource-blob": ({ mimeType, bytes }) => {
    if (mimeType.startsWith("image/")) return [omittedImage];
    return mimeType === "application/pdf" ? [makeUnmeasuredMedia(bytes)] : [];
  },
};

// The base64 characters with which the data must start, by MIME type.
const signatures = new Map([
  ["image/png", "iVBORw0KGgo"],
  ["image/jpeg", "/9j/"],
  ["image/gif", "R0lGOD"],
]);

function renderImage(block: Block): ShownItem {
  const signature = signatures.get(block.mimeType.toLowerCase());
  const isShown = signature !== undefined && block.data.startsWith(signature);
  return isShown ? pickMedia(block.parts) : [omittedImage];
}

// Longer JSON keeps its white space: it is saved to a file anyway, and the model gets only a preview.
const jsonCharactersMax = 256 * 1024;

function isJsonLike(text: string): boolean {
  return /^\s*[[{]/.test(text) && text.length <= jsonCharactersMax;
}

const constraints =
  "minLength maxLength pattern format minimum maximum multipleOf exclusiveMinimum exclusiveMaximum minItems maxItems uniqueItems propertyNames minProperties maxProperties not".split(
    " ",
  );

function describeConstraints(tool: JsonObject): JsonObject {
  return { ...tool, inputSchema: mapSchemas(tool["inputSchema"], moveConstraints) };
}

function moveConstraints(schema: JsonObject): JsonObject {
  const names = constraints.filter((name) => name in schema);
  if (names.length === 0) return schema;
  const list = names.map((name) => `${name}: ${JSON.stringify(schema[name])}`).join(", ");
  const { description } = schema;
  const before = typeof description === "string" ? `${description}\n\n` : "";
  const others = Object.entries(schema).filter(([name]) => !names.includes(name));
  return { ...Object.fromEntries(others), description: `${before}{${list}}` };
}

function qualifyName(tool: string): string {
  return `${serverName}-${tool}`;
}

function reportError(answer: AnswerFacts): ShownItem {
  const texts = answer.blocks.flatMap((block): ShownItem => {
    if (block.kind === "text") return block.parts;
    return block.kind === "resource-text" ? [block.text] : [];
  });
  const { structured, isStructuredRepeated } = answer;
  const shown = structured && !isStructuredRepeated ? [...texts, structured] : texts;
  return [
    `MCP server '${serverName}': `,
    ...(shown.length === 0 ? ["Tool execution failed"] : shown),
  ];
}

// A result with a `resultType` is of revision 2026-07-28 or later, and needs no content.
function isRejected(result: unknown): boolean {
  const isTyped = readString(result, "resultType") !== undefined;
  const hasContent = (readMember(result, "content") ?? null) !== null;
  return (hasContent || !isTyped) && isUnrecognizedResult(result);
}

function reportUnexpected(result: unknown): string {
  const isEmpty = isObject(result) && Object.keys(result).length === 0;
  const got = isEmpty
    ? "EmptyResult(EmptyObject)"
    : `CustomResult(CustomResult(${formatDebug(result)}))`;
  return `MCP server '${serverName}': MCP request failed: expected CallToolResult from tools/call, got ${got}`;
}

function formatDebug(value: unknown): string {
  if (Array.isArray(value)) return `Array [${value.map(formatDebug).join(", ")}]`;
  if (isObject(value)) {
    const members = Object.entries(value).map(
      ([key, member]) => `${JSON.stringify(key)}: ${formatDebug(member)}`,
    );
    return `Object {${members.join(", ")}}`;
  }
  if (typeof value === "string") return `String(${JSON.stringify(value)})`;
  if (typeof value === "boolean") return `Bool(${value})`;
  return typeof value === "number" ? `Number(${value})` : "Null";
}

function limitAnswer(parts: readonly Part[]): LimitedAnswer | undefined {
  const value = countBytes(parts);
  if (value <= answerBytes) return undefined;
  const text = joinText(parts);
  const size = formatKilobytes(Buffer.byteLength(text), " ");
  const head = text.slice(0, previewCharacters);
  const shortened = `Output too large to read at once (${size}). Saved to: ${file}\nConsider using tools like rg (for searching), head/tail (for viewing start/end), view with view_range (for specific sections), or jq (for JSON) to examine portions of the output.\n\nPreview (first 500 chars):\n${head}`;
  const shown = replaceTexts(parts, shortened);
  return { parts: shown, alert: "would_spill", value, limit: answerBytes, unit: "byte" };
}
