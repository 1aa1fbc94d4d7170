import { isObject, type JsonObject, readString } from "#wire/json.ts";
import { type Part, makeUnmeasuredMedia, type Block, blockKinds } from "./block.ts";
import type { AnswerFacts, ClientProfile, LimitedAnswer, ShownItem } from "./client-profile.ts";
import {
  fitImages,
  joinTexts,
  formatLibraryError,
  renderNothing,
  plainProfile,
  renameTool,
  renderResourceText,
  serverName,
  countBytes,
  countLines,
  cutLines,
  formatKilobytes,
  pickMedia,
  replaceTexts,
  joinText,
} from "./common.ts";
import { rejectResult } from "./rejections.ts";

const attachment = "Attached media from tool result:";
const omittedImage = "\n\n[1 image omitted: could not be resized below the image size limit.]";
const pdf = "application/pdf";
// In pixels. Larger images are scaled down.
const imageSide = 2_000;

const answerBytesMax = 51_200;
const answerLinesMax = 2_000;

const savedNote =
  "The tool call succeeded but the output was truncated. Full output saved to: /home/user/.local/share/opencode/tool-output/tool_c0863a18c001NT2RUE1NgMU4VD\nUse the Task tool to have explore agent process this file with Grep and Read (with offset/limit). Do NOT read the full file yourself - delegate to save context.";

export const opencode: ClientProfile = {
  ...plainProfile,
  names: ["opencode", "kilo"],
  measured: { version: "1.18.33", on: "2026-11-26", kinds: blockKinds },
  separator: "\n\n",
  blocks: {
    ...plainProfile.blocks,
    image: renderAttached,
    "unreadable-image": (block, _, hasShownMedia) => {
      const { mimeType } = block;
      if (mimeType.startsWith("image/")) return [omittedImage];
      return mimeType === pdf ? renderAttachedFile(block, hasShownMedia) : [formatFileData(block)];
    },
    audio: renderNothing,
    link: renderNothing,
    "resource-text": renderResourceText,
    "resource-image": renderAttached,
    "resource-blob": (block, _, hasShownMedia) => {
      const { uri, mimeType, bytes } = block;
      if (bytes === 0) return [];
      if (block.isBroken) return [omittedImage];
      if (mimeType === pdf) return renderAttachedFile(block, hasShownMedia);
      return [
        `[Binary MCP resource omitted: ${uri} (${mimeType}, ${formatSize(bytes)}) is not a supported attachment type]`,
      ];
    },
    unknown: renderNothing,
  },
  renderRejection: (result) => rejectResult(result),
  renderToolError,
  renderProtocolError: (error) => [[formatLibraryError(error)]],
  limitAnswer,
  definitions: {
    ...plainProfile.definitions,
    formatTool: (tool) => forbidExtraArguments(renameTool(tool, (name) => `${serverName}_${name}`)),
    sortsTools: true,
    formatInstructions: (text) =>
      `<mcp_instructions>\n  <server name="${serverName}">\n${text.replaceAll(/^/gm, "    ")}\n  </server>\n</mcp_instructions>`,
  },
};

function forbidExtraArguments(tool: JsonObject): JsonObject {
  const schema = tool["inputSchema"];
  const members = isObject(schema) ? schema : {};
  const inputSchema = { type: "object", properties: {}, ...members, additionalProperties: false };
  return { ...tool, inputSchema };
}

function renderAttached(block: Block, _: unknown, hasShownMedia: boolean): ShownItem {
  return [...fitImages(pickMedia(block.parts), imageSide), hasShownMedia ? "" : attachment];
}

function renderAttachedFile({ bytes }: Block, hasShownMedia: boolean): ShownItem {
  return [makeUnmeasuredMedia(bytes), hasShownMedia ? "" : attachment];
}

function formatFileData({ raw, mimeType }: Block): string {
  const file = { type: "file-data", data: readString(raw, "data") ?? "", mediaType: mimeType };
  return JSON.stringify([file]);
}

function formatSize(bytes: number): string {
  return bytes < 1024 ? `${bytes} B` : formatKilobytes(bytes, " ");
}

function renderToolError(answer: AnswerFacts): readonly ShownItem[] {
  const texts = joinTexts(answer, "\n\n");
  return [texts.length === 0 ? ["MCP tool returned an error"] : texts];
}

function limitAnswer(parts: readonly Part[]): LimitedAnswer | undefined {
  const bytes = countBytes(parts);
  // A text of fewer than `answerLinesMax` bytes exceeds neither limit, because each line break takes a byte.
  if (bytes < answerLinesMax) return undefined;
  const text = joinText(parts);
  const lines = countLines(text);
  if (bytes <= answerBytesMax && lines <= answerLinesMax) return undefined;
  const head = cutLines(text, answerBytesMax, answerLinesMax);
  // The client reports how many lines it removed or, if it first reached the limit in bytes, how many bytes.
  const isCutByLines = countLines(head) === answerLinesMax;
  const removed = isCutByLines
    ? `${lines - answerLinesMax} lines`
    : `${bytes - Buffer.byteLength(head)} bytes`;
  const shortened = `${head}\n\n...${removed} truncated...\n\n${savedNote}`;
  const shown = replaceTexts(parts, shortened);
  const facts = isCutByLines
    ? ({ value: lines, limit: answerLinesMax, unit: "line" } as const)
    : ({ value: bytes, limit: answerBytesMax, unit: "byte" } as const);
  return { parts: shown, alert: "would_spill", ...facts };
}
