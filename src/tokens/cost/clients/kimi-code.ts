import { isObject, textAt } from "#wire/json.ts";
import { readAudio } from "../media/audio.ts";
import { type Part, unmeasuredMedia } from "../part.ts";
import { type Block, blockKinds, mediaIn } from "./block.ts";
import type {
  AnswerFacts,
  ClientProfile,
  Echo,
  Limited,
  Piece,
  ShownText,
} from "./client-profile.ts";
import {
  fittedImages,
  libraryError,
  plainProfile,
  renamed,
  resourceText,
  serverName,
  usualHash,
  usualId,
  charactersIn,
  frame,
  mediaOf,
  textOf,
} from "./common.ts";
import { rejected } from "./rejections.ts";

const wallTime = "Wall time: 0.012 seconds\n";
const failure = `${wallTime}<system>ERROR: Tool execution failed.</system>\n`;
const empty = "Tool output is empty.";

/** Pixels; larger images are scaled down. */
const imageSide = 2_000;
const characters = { answer: 50_000, line: 2_000, head: 4_096, tail: 1_024 };

const session = `/home/user/.kimi-code/sessions/wd_project_a34a1382aa04/session_${usualId}`;
const savedAt = "Original attachment saved at: ";
const fileId = `f_mcp_${usualHash}${usualHash}`;

// Data of broken images cost nothing, and are priced as images.
const measuredKinds = blockKinds.filter((kind) => kind !== "unreadable-image");

export const kimiCode: ClientProfile = {
  ...plainProfile,
  id: "both",
  names: ["kimi-code", "kimi code"],
  measured: { version: "2.1.0", on: "2026-11-26", kinds: measuredKinds },
  order: "content-then-structured",
  joint: "",
  blocks: {
    ...plainProfile.blocks,
    image: picture,
    "unreadable-image": picture,
    link: ({ raw, uri }) => {
      const type = textAt(raw, "mimeType") ?? unknownType;
      return isMedia(type)
        ? [unmeasuredMedia(0)]
        : [
            `[MCP content dropped: resource_link with unsupported mimeType "${type}" was not delivered. Fetch it directly if needed: ${uri}]`,
          ];
    },
    "resource-text": resourceText,
    "resource-image": picture,
    "resource-blob": (block) => {
      const { mimeType, uri, data } = block;
      const type = mimeType === "" ? unknownType : mimeType;
      if (type.startsWith("image/")) return picture(block);
      if (type.startsWith("audio/")) return [{ kind: "audio", ...readAudio(data) }];
      if (isMedia(type)) return [unmeasuredMedia(block.bytes)];
      const megabytes = ((data.length * 3) / 4 / 1024 ** 2).toFixed(1);
      return [
        `[MCP content dropped: resource blob with unsupported mimeType "${type}" (~${megabytes} MB, uri: ${uri}) was not delivered.]`,
      ];
    },
  },
  whole: (answer) => {
    const texts = textsOf(answer);
    return [[wallTime, ...(isBlank(texts) ? [`<system>${empty}</system>`] : texts)]];
  },
  rejection: (result, { asked }) => rejected(result, opening(asked)),
  toolError: (answer) => {
    const texts = textsOf(answer);
    return [[failure, ...(texts.length === 0 ? [empty] : texts)]];
  },
  errorLimit: limited,
  protocolError: (error) => [[opening(error.asked) + libraryError(error)]],
  limit: limited,
  definitions: {
    ...plainProfile.definitions,
    form: (tool) => renamed(tool, qualified),
    instructions: () => "",
  },
};

const unknownType = "application/octet-stream";

function qualified(tool: string): string {
  return `mcp__${serverName}__${tool}`;
}

function opening({ tool }: Echo): string {
  return `${failure}Tool "${qualified(tool)}" failed: `;
}

function isMedia(type: string): boolean {
  return /^(?:image|audio|video)\//.test(type);
}

/** Formats that models of other makers do not accept, and whose size is not read. */
const ownFormat = /^image\/(?:bmp|hei[cf])$/i;
const format = /^image\/(?:png|jpe?g|gif|webp)$/i;

function picture(block: Block): ShownText {
  const { mimeType, bytes } = block;
  if (ownFormat.test(mimeType)) return [unmeasuredMedia(bytes)];
  if (format.test(mimeType)) return fittedImages(sizedImages(block), imageSide);
  return [
    `[Image omitted: unsupported image format ${mimeType}. The current model provider accepts only PNG, JPEG, GIF, WebP, BMP, HEIC, and HEIF — convert it to PNG or JPEG and try again.]`,
  ];
}

/** Without data that no model takes for an image. */
function sizedImages(block: Block): readonly Part[] {
  return mediaIn(block).filter((part) => part.kind === "image" && part.size !== undefined);
}

function isBlank(texts: ShownText): boolean {
  return texts.every((piece) => textIn(piece)?.trim() === "");
}

/** Blocks, structured content and `_meta`, and the places of saved media. */
function textsOf(answer: AnswerFacts): ShownText {
  const shown = answer.blocks.flatMap((block) => kimiCode.blocks[block.kind](block, answer, true));
  const hasText = shown.some((piece) => (textIn(piece) ?? "") !== "");
  const isWrapped = !hasText && answer.blocks.some(isSaved);
  const name = qualified(answer.asked.tool);
  // The same data are saved once.
  const saved = new Map(answer.blocks.filter(isSaved).map((one) => [one.mimeType + one.data, one]));
  const media = [...saved.values()];
  const notes = [...media.flatMap(captionOf), ...media.map(noteOf)];
  return [
    ...(isWrapped ? [`<mcp_tool_result name="${name}">`, ...shown, "</mcp_tool_result>"] : shown),
    ...extras(answer),
    notes.join("\n"),
  ].filter((piece) => piece !== "");
}

function textIn(piece: Piece): string | undefined {
  if (typeof piece === "string") return piece;
  return piece.kind === "text" ? piece.text : undefined;
}

function extras({ structured, duplicate, meta }: AnswerFacts): ShownText {
  const names = isObject(meta) ? Object.entries(meta).filter(([name]) => !isReserved(name)) : [];
  const members = [
    ...(structured && duplicate.length === 0 ? [`"structuredContent":${structured.text}`] : []),
    ...(names.length > 0 ? [`"_meta":${JSON.stringify(Object.fromEntries(names))}`] : []),
  ];
  if (members.length === 0) return [];
  const json = `{${members.join(",")}}`.replaceAll("<", String.raw`\u003c`);
  return [`\n<mcp-result-extras>\n${json}\n</mcp-result-extras>`];
}

/** `mcp.dev/name` and `modelcontextprotocol.io/name`. */
function isReserved(name: string): boolean {
  return /^(?:[^/]*\.)?(?:mcp|modelcontextprotocol)\.[^/]*\//.test(name);
}

function isSaved({ kind }: Block): boolean {
  return kind.endsWith("image") || kind === "audio" || kind === "resource-blob";
}

function captionOf(block: Block): readonly string[] {
  return sizedImages(block).flatMap((part) => {
    const { width, height } = (part.kind === "image" && part.size) || noSize;
    if (Math.max(width, height) <= imageSide) return [];
    const { mimeType: type } = block;
    return [
      `<system>Image compressed to fit model limits: original ${width}x${height} ${type} (10 KB) -> sent 2000x1500 ${type} (11 KB). Fine detail may be lost. The uncompressed original is saved at "kimi-file://${fileId}"; if you need fine detail (e.g. small text), call ReadMediaFile on that path with the region parameter (original-pixel coordinates) to view a crop at full fidelity.</system>`,
    ];
  });
}

const noSize = { width: 0, height: 0 };

function noteOf(block: Block): string {
  const { mimeType, bytes } = block;
  const name = `media/${fileId}.bin`;
  return `${savedAt}"${session}/${name}"\nAttachment reference: "kimi-file://${fileId}"\nSession-relative attachment: "${name}"\nMIME: "${mimeType === "" ? unknownType : mimeType}"; size: ${bytes} bytes. Pass the attachment reference to Read or ReadMediaFile in the current session. For other binary formats, Read reports the resolved local path for a converter.`;
}

const file = `${session}/agents/main/tool-results/mcp__server__tool-call_TTfR5pGUugUEpKxt8ttzJn8x-${usualId}.txt`;
const next =
  "next_step: Use Read with output_path to page through the saved output, or Grep to search it.";

function limited(parts: readonly Part[]): Limited | undefined {
  if (charactersIn(parts) <= characters.answer) return undefined;
  const whole = textOf(parts);
  const opened = whole.startsWith(failure) ? failure : wallTime;
  const text = whole.slice(opened.length);
  const value = text.length;
  if (value <= characters.answer) return undefined;
  const media = mediaOf(parts);
  const shaped = text.replaceAll(longLine, cutLine);
  const left =
    shaped.length <= characters.answer ? withPlace(shaped) : preview(text, media.length > 0);
  const kept = [frame(opened + left), ...media];
  return { parts: kept, alert: "would_spill", value, limit: characters.answer, unit: "character" };
}

const longLine = /[^\r\n]{2001,}/g;
const mark = "[...truncated]";

function cutLine(line: string): string {
  return line.slice(0, characters.line - mark.length) + mark;
}

function withPlace(shaped: string): string {
  return `${shaped}\n[Per-line truncation occurred; the complete output was saved to a file.\noutput_path: ${file}\n${next}]`;
}

function preview(text: string, hasMedia: boolean): string {
  const { head, tail } = characters;
  const rest = text.length - tail;
  const what = hasMedia
    ? "full text output was saved to a file (media parts stay attached to this result)"
    : "full output was saved to a file";
  const notes = text.indexOf(savedAt);
  return [
    `Tool output exceeded ${characters.answer} characters; the ${what}.`,
    `tool_name: ${qualified("tool")}`,
    "tool_call_id: call_TTfR5pGUugUEpKxt8ttzJn8x",
    `output_size_chars: ${text.length}\noutput_size_bytes: ${Buffer.byteLength(text)}`,
    `output_path: ${file}\n${next}\n`,
    `[preview: chars [0, ${head})]\n${text.slice(0, head)}\n`,
    `[elided: chars [${head}, ${rest})]\n`,
    `[preview: chars [${rest}, ${text.length})]\n${text.slice(rest)}`,
    ...(notes < 0 ? [] : [`\n${text.slice(notes)}`]),
  ].join("\n");
}
