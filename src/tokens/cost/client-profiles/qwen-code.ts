import { stringifyCompact, type JsonObject, readString } from "#wire/json.ts";
import { type Part, type Block, blockKinds } from "./block.ts";
import type {
  AnswerFacts,
  ClientProfile,
  Echo,
  LimitedAnswer,
  ShownItem,
} from "./client-profile.ts";
import {
  cutText,
  formatMediaLabel,
  plainProfile,
  qualifyName,
  renameTool,
  renderResourceText,
  typicalHash,
  countCharacters,
  pickMedia,
  joinText,
  replaceTexts,
} from "./common.ts";
import { rejectResult } from "./rejections.ts";

const attachment = "(attached media from previous tool call)";

const characters = { answer: 28_000, preview: 2_000, listing: 120 };

const file = `/home/user/.qwen/tmp/${typicalHash}${typicalHash}/tool-results/call_TTfR5pGUugUEpKxt8ttzJn8x.txt`;

export const qwenCode: ClientProfile = {
  ...plainProfile,
  recordedAs: "both",
  client: "qwen-code",
  names: ["qwen-cli-mcp-client", "qwen-code", "qwen code"],
  measured: { version: "0.24.4", on: "2026-11-26", kinds: blockKinds },
  order: "structured-then-content",
  separator: "\n",
  isBlank: (text) => text.trim() === "",
  formatEmpty: ({ tool }) => `Tool '${tool}' completed without any output.`,
  blocks: {
    ...plainProfile.blocks,
    image: renderAttached("image"),
    "unreadable-image": (block, answer, hasShownMedia) => {
      const { bytes, mimeType } = block;
      if (!mimeType.startsWith("image/")) return renderDocument("image")(block, answer);
      const label = formatMediaLabel("image", mimeType, answer.echo);
      return [label, bytes === 0 || hasShownMedia ? "" : attachment];
    },
    audio: renderDocument("audio"),
    link: ({ title, name, uri }) => [`Resource Link: ${title === "" ? name : title} at ${uri}`],
    "resource-text": renderResourceText,
    "resource-image": renderAttached("embedded resource"),
    "resource-blob": (block, answer, hasShownMedia) => {
      const { bytes, mimeType } = block;
      if (bytes === 0) return [];
      if (!mimeType.startsWith("image/")) return renderDocument("embedded resource")(block, answer);
      const label = formatMediaLabel("embedded resource", mimeType, answer.echo);
      return [label, hasShownMedia ? "" : attachment];
    },
  },
  renderRejection: (result) => rejectResult(result, "Invalid result for tools/call: "),
  renderToolError,
  limitError: (parts, { isProtocolError }) => (isProtocolError ? undefined : limitAnswer(parts)),
  renderProtocolError: ({ message }) => [[message]],
  limitAnswer,
  definitions: {
    ...plainProfile.definitions,
    deferral: "always",
    formatTool: (tool, isLoaded) => (isLoaded ? declareTool(tool) : renameTool(tool, qualifyName)),
    formatListing: (tool) => {
      const description = cutText(readString(tool, "description") ?? "", characters.listing);
      return `- ${JSON.stringify(qualifyName(readString(tool, "name") ?? ""))}: ${JSON.stringify(description)}\n`;
    },
    formatInstructions: (text) => `<system-reminder>\n${text}\n</system-reminder>`,
  },
};

// The client's tool search returns definitions as text.
function declareTool(tool: JsonObject): JsonObject {
  const { name, description, inputSchema } = renameTool(tool, qualifyName);
  const json = stringifyCompact({ name, description, parametersJsonSchema: inputSchema });
  return { description: `<function>${json}</function>\n` };
}

type EchoFacts = Pick<AnswerFacts, "echo">;

// The images of a successful answer follow in one separate message that contains `attachment` once.
function renderAttached(kind: "image" | "embedded resource") {
  return (block: Block, { echo }: EchoFacts, hasShownMedia: boolean): ShownItem => [
    formatMediaLabel(kind, block.mimeType, echo),
    ...pickMedia(block.parts),
    hasShownMedia ? "" : attachment,
  ];
}

function renderDocument(kind: "audio" | "image" | "embedded resource") {
  return (block: Block, { echo }: EchoFacts): ShownItem => {
    const type = block.mimeType === "" ? "application/octet-stream" : block.mimeType;
    return [`${formatMediaLabel(kind, type, echo)}\n[document: ${type}]`];
  };
}

// An error reads as in Gemini CLI, except that its JSON contains the content twice. If the content has images, the
// blocks replace the JSON, and each image gets a label and `attachment`.
function renderToolError({ echo, json, blocks }: AnswerFacts): readonly ShownItem[] {
  const { tool, args } = echo;
  const name = JSON.stringify(tool);
  const call = `{"name":${name},"args":${args === "" ? "{}" : args}}`;
  const opening = `MCP tool '${tool}' reported tool error for function call: ${call} with response: `;
  if (blocks.some(({ kind }) => kind === "image" || kind === "resource-image")) {
    return blocks.map((block, at) => [at === 0 ? opening : "", ...renderInError(block, echo)]);
  }
  const content = `[${blocks.map((block) => block.json()).join(",")}]`;
  return [
    [
      `${opening}[{"functionResponse":{"name":${name},"response":{"error":${json()},"content":${content}}}}]`,
    ],
  ];
}

function renderInError(block: Block, echo: Echo): ShownItem {
  const media = pickMedia(block.parts);
  if (media.length === 0) return [block.text];
  const label = formatMediaLabel("image", block.mimeType, echo);
  return [`${label}\n[${block.mimeType}]`, ...media, attachment];
}

function limitAnswer(parts: readonly Part[]): LimitedAnswer | undefined {
  const value = countCharacters(parts);
  if (value <= characters.answer) return undefined;
  const text = joinText(parts);
  const size = `${Math.round(Buffer.byteLength(text) / 1024)} KB`;
  const head = text.slice(0, characters.preview);
  const shortened = `<persisted-output>\nOutput too large (${size}). Full output saved to: ${file}\nFull output sha256: ${typicalHash}${typicalHash}\nNote: this file may be cleaned up after 24 hours.\nTo read the complete output, use the read_file tool with the absolute file path above.\n\nPreview (up to 2000 chars):\n${head}\n...\n</persisted-output>`;
  const shown = replaceTexts(parts, shortened);
  return { parts: shown, alert: "would_spill", value, limit: characters.answer, unit: "character" };
}
