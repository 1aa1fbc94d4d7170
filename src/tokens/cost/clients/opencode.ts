import { isObject, type JsonObject, textAt } from "#wire/json.ts";
import { type Part, unmeasuredMedia } from "../part.ts";
import { type Block, blockKinds, mediaIn } from "./block.ts";
import type { AnswerFacts, ClientProfile, Limited, ShownText } from "./client-profile.ts";
import {
  fittedImages,
  joinedTexts,
  libraryError,
  nothing,
  plainProfile,
  renamed,
  resourceText,
  serverName,
  bytesIn,
  countLines,
  firstLines,
  frame,
  mediaOf,
  textOf,
} from "./common.ts";
import { rejected } from "./rejections.ts";

const attachment = "Attached media from tool result:";
const omitted = "\n\n[1 image omitted: could not be resized below the image size limit.]";
const pdf = "application/pdf";
/** Pixels; larger images are scaled down. */
const imageSide = 2_000;

const wholeBytes = 51_200;
const wholeLines = 2_000;

const note =
  "The tool call succeeded but the output was truncated. Full output saved to: /home/user/.local/share/opencode/tool-output/tool_c0863a18c001NT2RUE1NgMU4VD\nUse the Task tool to have explore agent process this file with Grep and Read (with offset/limit). Do NOT read the full file yourself - delegate to save context.";

export const opencode: ClientProfile = {
  ...plainProfile,
  // Kilo is built on OpenCode.
  names: ["opencode", "kilo"],
  measured: { version: "1.18.33", on: "2026-11-26", kinds: blockKinds },
  joint: "\n\n",
  blocks: {
    ...plainProfile.blocks,
    image: attached,
    "unreadable-image": (block, _, isFirst) => {
      const { mimeType } = block;
      if (mimeType.startsWith("image/")) return [omitted];
      return mimeType === pdf ? attachedFile(block, isFirst) : [fileData(block)];
    },
    audio: nothing,
    link: nothing,
    "resource-text": resourceText,
    "resource-image": attached,
    "resource-blob": (block, _, isFirst) => {
      const { uri, mimeType, bytes } = block;
      if (bytes === 0) return [];
      if (block.isBroken) return [omitted];
      if (mimeType === pdf) return attachedFile(block, isFirst);
      return [
        `[Binary MCP resource omitted: ${uri} (${mimeType}, ${sizeOf(bytes)}) is not a supported attachment type]`,
      ];
    },
    unknown: nothing,
  },
  rejection: (result) => rejected(result),
  toolError,
  protocolError: (error) => [[libraryError(error)]],
  limit: limited,
  definitions: {
    ...plainProfile.definitions,
    form: (tool) => closed(renamed(tool, (name) => `${serverName}_${name}`)),
    instructions: (text) =>
      `<mcp_instructions>\n  <server name="${serverName}">\n${indented(text)}\n  </server>\n</mcp_instructions>`,
  },
};

// Additional arguments are forbidden.
function closed(tool: JsonObject): JsonObject {
  const schema = tool["inputSchema"];
  const members = isObject(schema) ? schema : {};
  const inputSchema = { type: "object", properties: {}, ...members, additionalProperties: false };
  return { ...tool, inputSchema };
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, "    ");
}

// Media are in a separate message.
function attached(block: Block, _: unknown, isFirst: boolean): ShownText {
  return [...fittedImages(mediaIn(block), imageSide), isFirst ? attachment : ""];
}

function attachedFile({ bytes }: Block, isFirst: boolean): ShownText {
  return [unmeasuredMedia(bytes), isFirst ? attachment : ""];
}

/** Of a block for images with a type that does not begin with `image/`, in these letters. */
function fileData({ raw, mimeType }: Block): string {
  const part = { type: "file-data", data: textAt(raw, "data") ?? "", mediaType: mimeType };
  return JSON.stringify([part]);
}

function sizeOf(bytes: number): string {
  return bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} KB`;
}

function toolError(answer: AnswerFacts): readonly ShownText[] {
  const texts = joinedTexts(answer, "\n\n");
  return [texts.length === 0 ? ["MCP tool returned an error"] : texts];
}

function limited(parts: readonly Part[]): Limited | undefined {
  const bytes = bytesIn(parts);
  // So few bytes are never too many lines.
  if (bytes < wholeLines) return undefined;
  const text = textOf(parts);
  const lines = countLines(text);
  if (bytes <= wholeBytes && lines <= wholeLines) return undefined;
  const head = firstLines(text, wholeBytes, wholeLines);
  // Lines are what it says it removed, unless bytes ended the beginning.
  const isCutByLines = countLines(head) === wholeLines;
  const removed = isCutByLines
    ? `${lines - wholeLines} lines`
    : `${bytes - Buffer.byteLength(head)} bytes`;
  const left = `${head}\n\n...${removed} truncated...\n\n${note}`;
  const kept = [frame(left), ...mediaOf(parts)];
  const facts = isCutByLines
    ? ({ value: lines, limit: wholeLines, unit: "line" } as const)
    : ({ value: bytes, limit: wholeBytes, unit: "byte" } as const);
  return { parts: kept, alert: "would_spill", ...facts };
}
