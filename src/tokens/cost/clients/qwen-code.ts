import { compactJson, type JsonObject, textAt } from "#wire/json.ts";
import type { Part } from "../part.ts";
import { type Block, blockKinds, mediaIn } from "./block.ts";
import type { AnswerFacts, ClientProfile, Echo, Limited, ShownText } from "./client-profile.ts";
import {
  cut,
  mediaLabel,
  plainProfile,
  renamed,
  resourceText,
  serverName,
  usualHash,
  charactersIn,
  frame,
  mediaOf,
  textOf,
} from "./common.ts";
import { rejected } from "./rejections.ts";

const attachment = "(attached media from previous tool call)";

const characters = { answer: 28_000, preview: 2_000, listing: 120 };

const file = `/home/user/.qwen/tmp/${usualHash}${usualHash}/tool-results/call_TTfR5pGUugUEpKxt8ttzJn8x.txt`;

export const qwenCode: ClientProfile = {
  ...plainProfile,
  id: "both",
  names: ["qwen-cli-mcp-client", "qwen-code", "qwen code"],
  measured: { version: "0.24.4", on: "2026-11-26", kinds: blockKinds },
  order: "structured-then-content",
  joint: "\n",
  isBlank: (text) => text.trim() === "",
  empty: ({ tool }) => `Tool '${tool}' completed without any output.`,
  blocks: {
    ...plainProfile.blocks,
    image: attached("image"),
    "unreadable-image": (block, answer, isFirst) => {
      const { asked } = answer;
      const { bytes, mimeType } = block;
      if (!mimeType.startsWith("image/")) return document("image")(block, answer);
      return bytes === 0
        ? [mediaLabel("image", mimeType, asked)]
        : [mediaLabel("image", mimeType, asked), isFirst ? attachment : ""];
    },
    audio: document("audio"),
    link: ({ title, name, uri }) => [`Resource Link: ${title === "" ? name : title} at ${uri}`],
    "resource-text": resourceText,
    "resource-image": attached("embedded resource"),
    "resource-blob": (block, answer, isFirst) => {
      const { asked } = answer;
      const { bytes, mimeType } = block;
      if (bytes === 0) return [];
      if (!mimeType.startsWith("image/")) return document("embedded resource")(block, answer);
      return [mediaLabel("embedded resource", mimeType, asked), isFirst ? attachment : ""];
    },
  },
  rejection: (result) => rejected(result, "Invalid result for tools/call: "),
  toolError,
  errorLimit: (parts, isProtocolError) => (isProtocolError ? undefined : limited(parts)),
  protocolError: ({ message }) => [[message]],
  limit: limited,
  definitions: {
    deferral: "always",
    form: (tool, isLoaded) => (isLoaded ? declared(tool) : renamed(tool, qualified)),
    listing: (tool) => {
      const description = cut(textAt(tool, "description") ?? "", characters.listing);
      return `- ${JSON.stringify(qualified(textAt(tool, "name") ?? ""))}: ${JSON.stringify(description)}\n`;
    },
    instructions: (text) => `<system-reminder>\n${text}\n</system-reminder>`,
    loadedInstructions: () => "",
    repeatsInstructions: false,
  },
};

function qualified(tool: string): string {
  return `mcp__${serverName}__${tool}`;
}

// Definitions are loaded as text, by a search.
function declared(tool: JsonObject): JsonObject {
  const { name, description, inputSchema } = renamed(tool, qualified);
  const json = compactJson({ name, description, parametersJsonSchema: inputSchema });
  return { description: `<function>${json}</function>\n` };
}

type Asked = Pick<AnswerFacts, "asked">;

// Images follow in a separate message.
function attached(what: "image" | "embedded resource") {
  return (block: Block, { asked }: Asked, isFirst: boolean): ShownText => [
    mediaLabel(what, block.mimeType, asked),
    ...mediaIn(block),
    isFirst ? attachment : "",
  ];
}

// The model does not get other data.
function document(what: "audio" | "image" | "embedded resource") {
  return (block: Block, { asked }: Asked): ShownText => {
    const type = block.mimeType === "" ? "application/octet-stream" : block.mimeType;
    return [`${mediaLabel(what, type, asked)}\n[document: ${type}]`];
  };
}

// The content stands twice in the frame of Gemini CLI, or labels where it has images.
function toolError({ asked, json, blocks }: AnswerFacts): readonly ShownText[] {
  const { tool, args } = asked;
  const name = JSON.stringify(tool);
  const call = `{"name":${name},"args":${args === "" ? "{}" : args}}`;
  const opening = `MCP tool '${tool}' reported tool error for function call: ${call} with response: `;
  if (blocks.some(({ kind }) => kind === "image" || kind === "resource-image")) {
    return blocks.map((block, at) => [at === 0 ? opening : "", ...shownInError(block, asked)]);
  }
  const content = `[${blocks.map((block) => block.json()).join(",")}]`;
  return [
    [
      `${opening}[{"functionResponse":{"name":${name},"response":{"error":${json()},"content":${content}}}}]`,
    ],
  ];
}

function shownInError(block: Block, asked: Echo): ShownText {
  const media = mediaIn(block);
  if (media.length === 0) return [block.text];
  const label = mediaLabel("image", block.mimeType, asked);
  return [`${label}\n[${block.mimeType}]`, ...media, attachment];
}

function limited(parts: readonly Part[]): Limited | undefined {
  const value = charactersIn(parts);
  if (value <= characters.answer) return undefined;
  const text = textOf(parts);
  const size = `${Math.round(Buffer.byteLength(text) / 1024)} KB`;
  const head = text.slice(0, characters.preview);
  const left = `<persisted-output>\nOutput too large (${size}). Full output saved to: ${file}\nFull output sha256: ${usualHash}${usualHash}\nNote: this file may be cleaned up after 24 hours.\nTo read the complete output, use the read_file tool with the absolute file path above.\n\nPreview (up to 2000 chars):\n${head}\n...\n</persisted-output>`;
  const kept = [frame(left), ...mediaOf(parts)];
  return { parts: kept, alert: "would_spill", value, limit: characters.answer, unit: "character" };
}
