import { isObject, readString } from "#wire/json.ts";
import { readAudio } from "../media/audio.ts";
import { type Part, makeUnmeasuredMedia, type Block, blockKinds } from "./block.ts";
import type {
  AnswerFacts,
  ClientProfile,
  Echo,
  LimitedAnswer,
  Piece,
  ShownItem,
} from "./client-profile.ts";
import {
  fitImages,
  formatLibraryError,
  plainProfile,
  qualifyName,
  renameTool,
  renderResourceText,
  typicalHash,
  typicalId,
  countCharacters,
  pickMedia,
  joinText,
  replaceTexts,
} from "./common.ts";
import { rejectResult } from "./rejections.ts";

const wallTime = "Wall time: 0.012 seconds\n";
const failure = `${wallTime}<system>ERROR: Tool execution failed.</system>\n`;
const empty = "Tool output is empty.";

// In pixels.
const imageSide = 2_000;
const characters = { answer: 50_000, line: 2_000, head: 4_096, tail: 1_024 };

const session = `/home/user/.kimi-code/sessions/wd_project_a34a1382aa04/session_${typicalId}`;
const savedAt = "Original attachment saved at: ";
const fileId = `f_mcp_${typicalHash}${typicalHash}`;

// `unreadable-image` is excluded, because we count tokens for a broken BMP or HEIC image, but the client spends none.
const measuredKinds = blockKinds.filter((kind) => kind !== "unreadable-image");

export const kimiCode: ClientProfile = {
  ...plainProfile,
  recordedAs: "both",
  client: "kimi-code",
  names: ["kimi-code", "kimi code"],
  measured: { version: "2.1.0", on: "2026-11-26", kinds: measuredKinds },
  order: "content-then-structured",
  separator: "",
  blocks: {
    ...plainProfile.blocks,
    image: renderImage,
    "unreadable-image": renderImage,
    link: ({ raw, uri }) => {
      const type = readString(raw, "mimeType") ?? unknownType;
      return isMedia(type)
        ? [makeUnmeasuredMedia(0)]
        : [
            `[MCP content dropped: resource_link with unsupported mimeType "${type}" was not delivered. Fetch it directly if needed: ${uri}]`,
          ];
    },
    "resource-text": renderResourceText,
    "resource-image": renderImage,
    "resource-blob": (block) => {
      const { mimeType, uri, data } = block;
      const type = mimeType === "" ? unknownType : mimeType;
      if (type.startsWith("image/")) return renderImage(block);
      if (type.startsWith("audio/")) return [{ kind: "audio", ...readAudio(data) }];
      if (isMedia(type)) return [makeUnmeasuredMedia(block.bytes)];
      const megabytes = ((data.length * 3) / 4 / 1024 ** 2).toFixed(1);
      return [
        `[MCP content dropped: resource blob with unsupported mimeType "${type}" (~${megabytes} MB, uri: ${uri}) was not delivered.]`,
      ];
    },
  },
  showsMeta: true,
  renderWhole: (answer) => {
    const pieces = listPieces(answer);
    const isBlank = pieces.every((piece) => readText(piece)?.trim() === "");
    return [[wallTime, ...(isBlank ? [`<system>${empty}</system>`] : pieces)]];
  },
  renderRejection: (result, { echo }) => rejectResult(result, formatErrorPrefix(echo)),
  renderToolError: (answer) => {
    const pieces = listPieces(answer);
    return [[failure, ...(pieces.length === 0 ? [empty] : pieces)]];
  },
  limitError: limitAnswer,
  renderProtocolError: (error) => [[formatErrorPrefix(error.echo) + formatLibraryError(error)]],
  limitAnswer,
  definitions: {
    ...plainProfile.definitions,
    formatTool: (tool) => renameTool(tool, qualifyName),
    formatInstructions: () => "",
  },
};

const unknownType = "application/octet-stream";

function formatErrorPrefix({ tool }: Echo): string {
  return `${failure}Tool "${qualifyName(tool)}" failed: `;
}

function isMedia(type: string): boolean {
  return /^(?:image|audio|video)\//.test(type);
}

// Unlike most models, Kimi models accept these formats. We do not read the size of such images.
const kimiFormat = /^image\/(?:bmp|hei[cf])$/i;
const commonFormat = /^image\/(?:png|jpe?g|gif|webp)$/i;

function renderImage(block: Block): ShownItem {
  const { mimeType, bytes } = block;
  if (kimiFormat.test(mimeType)) return [makeUnmeasuredMedia(bytes)];
  if (commonFormat.test(mimeType)) return fitImages(listSizedImages(block), imageSide);
  return [
    `[Image omitted: unsupported image format ${mimeType}. The current model provider accepts only PNG, JPEG, GIF, WebP, BMP, HEIC, and HEIF — convert it to PNG or JPEG and try again.]`,
  ];
}

function listSizedImages({ parts }: Block): readonly Part[] {
  return parts.filter((part) => part.kind === "image" && part.size !== undefined);
}

function listPieces(answer: AnswerFacts): ShownItem {
  const shown = answer.blocks.flatMap((block) => kimiCode.blocks[block.kind](block, answer, false));
  const hasText = shown.some((piece) => (readText(piece) ?? "") !== "");
  const isWrapped = !hasText && answer.blocks.some(isSaved);
  const name = qualifyName(answer.echo.tool);
  // The client saves identical data of the same MIME type only once.
  const saved = new Map(
    answer.blocks.filter(isSaved).map((block) => [block.mimeType + block.data, block]),
  );
  const media = [...saved.values()];
  const notes = [...media.flatMap(captionImages), ...media.map(describeSavedFile)];
  return [
    ...(isWrapped ? [`<mcp_tool_result name="${name}">`, ...shown, "</mcp_tool_result>"] : shown),
    ...formatExtras(answer),
    notes.join("\n"),
  ].filter((piece) => piece !== "");
}

function readText(piece: Piece): string | undefined {
  if (typeof piece === "string") return piece;
  return piece.kind === "text" ? piece.text : undefined;
}

function formatExtras({ structured, duplicate, meta }: AnswerFacts): ShownItem {
  const names = isObject(meta) ? Object.entries(meta).filter(([name]) => !isReserved(name)) : [];
  const members = [
    ...(structured && duplicate.length === 0 ? [`"structuredContent":${structured.text}`] : []),
    ...(names.length > 0 ? [`"_meta":${JSON.stringify(Object.fromEntries(names))}`] : []),
  ];
  if (members.length === 0) return [];
  const json = `{${members.join(",")}}`.replaceAll("<", String.raw`\u003c`);
  return [`\n<mcp-result-extras>\n${json}\n</mcp-result-extras>`];
}

// `mcp.dev/name` and `modelcontextprotocol.io/name`, for example, are reserved.
function isReserved(name: string): boolean {
  return /^(?:[^/]*\.)?(?:mcp|modelcontextprotocol)\.[^/]*\//.test(name);
}

function isSaved({ kind }: Block): boolean {
  return kind.endsWith("image") || kind === "audio" || kind === "resource-blob";
}

function captionImages(block: Block): readonly string[] {
  const { mimeType: type } = block;
  return listSizedImages(block).flatMap((part) => {
    if (part.kind !== "image" || !part.size) return [];
    const { width, height } = part.size;
    if (Math.max(width, height) <= imageSide) return [];
    return [
      `<system>Image compressed to fit model limits: original ${width}x${height} ${type} (10 KB) -> sent 2000x1500 ${type} (11 KB). Fine detail may be lost. The uncompressed original is saved at "kimi-file://${fileId}"; if you need fine detail (e.g. small text), call ReadMediaFile on that path with the region parameter (original-pixel coordinates) to view a crop at full fidelity.</system>`,
    ];
  });
}

function describeSavedFile(block: Block): string {
  const { mimeType, bytes } = block;
  const name = `media/${fileId}.bin`;
  return `${savedAt}"${session}/${name}"\nAttachment reference: "kimi-file://${fileId}"\nSession-relative attachment: "${name}"\nMIME: "${mimeType === "" ? unknownType : mimeType}"; size: ${bytes} bytes. Pass the attachment reference to Read or ReadMediaFile in the current session. For other binary formats, Read reports the resolved local path for a converter.`;
}

const file = `${session}/agents/main/tool-results/mcp__server__tool-call_TTfR5pGUugUEpKxt8ttzJn8x-${typicalId}.txt`;
const nextStep =
  "next_step: Use Read with output_path to page through the saved output, or Grep to search it.";

function limitAnswer(parts: readonly Part[]): LimitedAnswer | undefined {
  if (countCharacters(parts) <= characters.answer) return undefined;
  const full = joinText(parts);
  const prefix = full.startsWith(failure) ? failure : wallTime;
  const text = full.slice(prefix.length);
  const value = text.length;
  if (value <= characters.answer) return undefined;
  const keptLength = characters.line - mark.length;
  const withShortLines = text.replaceAll(longLine, (line) => line.slice(0, keptLength) + mark);
  const shortened =
    withShortLines.length <= characters.answer
      ? `${withShortLines}\n[Per-line truncation occurred; the complete output was saved to a file.\noutput_path: ${file}\n${nextStep}]`
      : formatPreview(text, pickMedia(parts).length > 0);
  const shown = replaceTexts(parts, prefix + shortened);
  return { parts: shown, alert: "would_spill", value, limit: characters.answer, unit: "character" };
}

const longLine = /[^\r\n]{2001,}/g;
const mark = "[...truncated]";

function formatPreview(text: string, hasMedia: boolean): string {
  const { head, tail } = characters;
  const tailStart = text.length - tail;
  const extent = hasMedia
    ? "full text output was saved to a file (media parts stay attached to this result)"
    : "full output was saved to a file";
  const notes = text.indexOf(savedAt);
  return [
    `Tool output exceeded ${characters.answer} characters; the ${extent}.`,
    `tool_name: ${qualifyName("tool")}`,
    "tool_call_id: call_TTfR5pGUugUEpKxt8ttzJn8x",
    `output_size_chars: ${text.length}\noutput_size_bytes: ${Buffer.byteLength(text)}`,
    `output_path: ${file}\n${nextStep}\n`,
    `[preview: chars [0, ${head})]\n${text.slice(0, head)}\n`,
    `[elided: chars [${head}, ${tailStart})]\n`,
    `[preview: chars [${tailStart}, ${text.length})]\n${text.slice(tailStart)}`,
    ...(notes < 0 ? [] : [`\n${text.slice(notes)}`]),
  ].join("\n");
}
