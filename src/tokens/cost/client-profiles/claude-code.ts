import { pluralize } from "#kit/text/numbers.ts";
import { isObject, readMember } from "#wire/json.ts";
import { type Part, type Block, blockKinds } from "./block.ts";
import {
  type ClientDetails,
  type ClientProfile,
  type LimitedAnswer,
  type LimitContext,
  type ShownItem,
  type AnswerFacts,
  type Deferral,
  type DefinitionRules,
  formatSkill,
} from "./client-profile.ts";
import {
  cutText,
  fitImages,
  formatNameLine,
  plainProfile,
  qualifyName,
  renameTool,
  serverName,
  typicalId,
  shortenDescription,
  countBytes,
  countLines,
  countCharacters,
  formatFileSize,
  makeTextPart,
  formatKilobytes,
  pickMedia,
  joinText,
  replaceTexts,
} from "./common.ts";
import { rejectResult } from "./rejections.ts";

// Example paths, about as long as real paths.
const folder = `/home/user/.claude/projects/-home-user-projects-example-organisation-application/${typicalId}/tool-results`;
const savedFile = `${folder}/toolu_01TTfR5pGUugUEpKxt8ttzJn`;
const file = `${folder}/mcp-server-tool-1763769600000-zsobi2.txt`;
const blob = `${folder}/mcp-server-blob-1763769600000-zsobi2`;

const characters = {
  saved: 50_000, // longer answers are saved to a file
  requestedMax: 500_000, // the most that a tool may request instead
  preview: 2_000,
  error: 10_000,
  description: 4_096,
  loadedDescription: 16_384,
  skill: 1_535,
};
// Claude Code's estimate for any image.
const imageTokens = 1_600;
// In pixels. An image with a side above this is scaled down.
const imageSide = 2_000;
const charactersPerTokenMax = 16;

export function claudeCode({ env = {} }: ClientDetails): ClientProfile {
  const answerTokensMax = readAnswerTokensMax(env) ?? 25_000;
  return {
    ...plainProfile,
    recordedAs: "structured-first",
    client: "claude-code",
    names: ["claude-code", "claude code"],
    measured: { version: "2.1.332", on: "2026-11-26", kinds: blockKinds },
    order: "prefer-structured",
    besideStructured: blockKinds.filter((kind) => kind !== "text"),
    isBlank: (text) => text.trim() === "",
    formatEmpty: ({ tool }) => `(${qualifyName(tool)} completed with no output)`,
    blocks,
    renderRejection: (result) =>
      rejectResult(
        result,
        `MCP server "${serverName}" returned a malformed result that failed schema validation: Invalid result for tools/call: `,
        { knowsModernEra: true },
      ),
    renderToolError,
    limitError,
    renderProtocolError: ({ message }) => [
      [message === "" ? "Command failed with no output" : message],
    ],
    formatChannel,
    limitAnswer: (parts, context) => limitAnswer(parts, context, answerTokensMax),
    clientSessionId: env["CLAUDE_CODE_SESSION_ID"],
    definitions: makeDefinitionRules(env),
  };
}

const imageSource = `[Image: source: ${blob}.png]`;

const blocks: ClientProfile["blocks"] = {
  ...plainProfile.blocks,
  image: ({ parts }) => renderImages(parts),
  "unreadable-image": (block) =>
    block.isBroken
      ? reportBrokenImage(block)
      : [`[Image from ${serverName}] `, describeSavedBinary(block)],
  audio: (block) => [`[Audio from ${serverName}] `, describeSavedBinary(block)],
  link: (block) => [formatLink(block)],
  "resource-text": (block) => [formatSource(block), block.text],
  "resource-image": (block) => [formatSource(block), ...renderImages(pickMedia(block.parts))],
  "resource-blob": (block) => [
    formatSource(block),
    ...(block.isBroken ? reportBrokenImage(block) : [describeSavedBinary(block)]),
  ],
};

const mark = "… [truncated]";

function makeDefinitionRules(env: NonNullable<ClientDetails["env"]>): DefinitionRules {
  return {
    ...plainProfile.definitions,
    deferral: parseDeferral(env["ENABLE_TOOL_SEARCH"]),
    formatTool: (tool, isLoaded) => {
      const max = isLoaded ? characters.loadedDescription : characters.description;
      return shortenDescription(renameTool(tool, qualifyName), max, mark);
    },
    isPreloaded: (tool) => readMember(tool, "_meta", "anthropic/alwaysLoad") === true,
    formatListing: (tool) => formatNameLine(tool, qualifyName),
    formatSkill: ({ name, description }) =>
      formatSkill({
        name: `${serverName}:${name}`,
        description: cutText(description, characters.skill, "…"),
      }),
    formatInstructions: (text) => cutText(text, characters.description, mark),
    hidesAppTools: true,
    sortsTools: true,
    keepsTools: true,
  };
}

// If `ENABLE_TOOL_SEARCH` is `auto` or `auto:N`, Claude Code 2.1.332 counts the servers' tools and eleven built-in
// tools (7,360 tokens). It subtracts 500 from the sum, and compares the result with a percentage of the window.
const clientTokens = 6_860;

// `ENABLE_TOOL_SEARCH` is on by default; `auto` defers the tools if they exceed 10 % of the window, `auto:N` if they
// exceed N %.
function parseDeferral(rawSetting = ""): Deferral {
  const setting = rawSetting.trim().toLowerCase();
  if (["false", "0", "no", "off"].includes(setting)) return "never";
  const auto = /^auto(?::(\d{1,3}))?$/.exec(setting);
  return auto ? { overPercent: Number(auto[1] ?? 10), clientTokens } : "always";
}

function formatSource({ uri }: Block): string {
  return `[Resource from ${serverName} at ${uri}] `;
}

function describeSavedBinary({ mimeType, bytes }: Block): string {
  return `Binary content (${mimeType}, ${formatFileSize(bytes)}) saved to ${blob}.bin`;
}

function renderImages(parts: readonly Part[]): ShownItem {
  const fitted = fitImages(parts, imageSide);
  const [before, after] = [pickImageSize(parts), pickImageSize(fitted)];
  if (!before || !after || before.width === after.width) return [...fitted, imageSource];
  const factor = (before.width / after.width).toFixed(2);
  const note = `original ${before.width}x${before.height}, displayed at ${after.width}x${after.height}. Multiply coordinates by ${factor} to map to original image.]`;
  return [...fitted, `${imageSource.slice(0, -1)}, ${note}`];
}

function pickImageSize([part]: readonly Part[]) {
  return part?.kind === "image" ? part.size : undefined;
}

function formatLink({ name, uri, description }: Block): string {
  return `[Resource link: ${name}] ${uri}${description === "" ? "" : ` (${description})`}`;
}

function reportBrokenImage({ bytes }: Block): ShownItem {
  const reason =
    bytes === 0
      ? "Image file is empty (0 bytes)"
      : "Unable to resize image — image processing is unavailable and dimensions could not be read from the file header. Please convert the image to PNG, JPEG, GIF, or WebP.";
  return [`[Image could not be processed: ${reason}]`, imageSource];
}

function renderToolError({ blocks: content }: AnswerFacts): readonly ShownItem[] {
  const texts = content.flatMap((block): ShownItem[] => {
    if (block.kind === "text") return [block.parts];
    return block.kind === "link" ? [[formatLink(block)]] : [];
  });
  const pieces = texts.flatMap((text, at): ShownItem => (at === 0 ? text : ["\n", ...text]));
  const isSilent = pieces.every((piece) => typeof piece !== "string" && joinText([piece]) === "");
  return [isSilent ? ["Unknown error"] : pieces];
}

// Claude Code drops notifications with values in `meta` that are not strings.
function formatChannel(params: unknown): string {
  const [content, meta] = [readMember(params, "content"), readMember(params, "meta") ?? {}];
  const isSound = isObject(meta) && Object.values(meta).every((value) => typeof value === "string");
  if (typeof content !== "string" || !isSound) return "";
  const names = Object.keys(meta).filter((name) => /^[a-z_]\w*$/i.test(name));
  const attributes = names.map((name) => ` ${name}="${escapeXml(String(meta[name]))}"`).join("");
  return `<channel source="${serverName}"${attributes}>\n${content}\n</channel>`;
}

function escapeXml(value: string): string {
  const entities = { "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos" };
  return Object.entries(entities).reduce(
    (text, [character, name]) => text.replaceAll(character, `&${name};`),
    value,
  );
}

function limitError(parts: readonly Part[]): LimitedAnswer | undefined {
  const limit = characters.error;
  const value = countCharacters(parts);
  if (value <= limit) return undefined;
  const [text, half] = [joinText(parts), limit / 2];
  const middle = `\n\n... [${value - limit} characters truncated] ...\n\n`;
  const shortened = [makeTextPart(text.slice(0, half) + middle + text.slice(-half))];
  return { alert: "would_truncate", parts: shortened, value, limit, unit: "character" };
}

// Beyond its limit, an answer with images is cut, and any other answer is saved to a file.
function limitAnswer(
  parts: readonly Part[],
  { declaredCharactersMax, count }: LimitContext,
  answerTokensMax: number,
): LimitedAnswer | undefined {
  const length = countCharacters(parts);
  const images = parts.filter(({ kind }) => kind === "image").length;
  const requested = readRequestedMax(declaredCharactersMax());
  const estimate = length / 4 + images * imageTokens;
  const isCounted = requested === undefined || images > 0;
  if (isCounted && estimate > answerTokensMax / 2) {
    // A text this long need not be counted: it exceeds the limit, unless it is almost all white space.
    const isTooLong = length > answerTokensMax * charactersPerTokenMax;
    const tokens = isTooLong ? answerTokensMax + 1 : count(parts, answerTokensMax);
    if (tokens > answerTokensMax) {
      const facts = { value: tokens, limit: answerTokensMax, unit: "token" } as const;
      if (images === 0) {
        const note = formatSavedNote(parts, length);
        return { ...facts, alert: "would_spill", parts: [makeTextPart(note)] };
      }
      const head = joinText(parts).slice(0, answerTokensMax * 4);
      return { ...facts, alert: "would_truncate", parts: replaceTexts(parts, head) };
    }
  }
  const limit = requested ?? characters.saved;
  if (length <= limit || images > 0) return undefined;
  const shortened = [makeTextPart(formatPreview(parts))];
  return { alert: "would_spill", parts: shortened, value: length, limit, unit: "character" };
}

function readRequestedMax(raw: unknown): number | undefined {
  if (typeof raw !== "number" || !(raw > 0)) return undefined;
  return Math.min(raw, characters.requestedMax);
}

// Structured content is saved unchanged, and blocks are saved as JSON.
function formatPreview(parts: readonly Part[]): string {
  const isStructured = parts.length === 1 && parts[0]?.block === undefined;
  const size = formatKilobytes(countBytes(parts));
  const text = isStructured ? joinText(parts) : formatBlocks(parts);
  const head = text.slice(0, characters.preview);
  const path = `${savedFile}.${isStructured ? "txt" : "json"}`;
  return `<persisted-output>\nOutput too large (${size}). Full output saved to: ${path}\n\nPreview (first 2KB):\n${head}\n...\n</persisted-output>`;
}

// Formats only as much of a long answer as the preview can show.
function formatBlocks(parts: readonly Part[]): string {
  const shown = parts
    .slice(0, characters.preview)
    .flatMap((part) =>
      part.kind === "text" ? [{ type: "text", text: part.text.slice(0, characters.preview) }] : [],
    );
  return JSON.stringify(shown, null, 2);
}

function formatSavedNote(parts: readonly Part[], length: number): string {
  const text = joinText(parts);
  const lines = countLines(text);
  const extent = `${pluralize(length, "character")} across ${pluralize(lines, "line")}`;
  const isOneLine = lines === 1;
  return [
    `Error: result (${extent}) exceeds maximum allowed tokens. Output has been saved to ${file}.`,
    "Format: Plain text",
    isOneLine
      ? "Search within the file for specific content, and use jq if the content is JSON."
      : "Use offset and limit parameters to read specific portions of the file, search within it for specific content, and jq to make structured queries.",
    "REQUIREMENTS FOR SUMMARIZATION/ANALYSIS/REVIEW:",
    `- You MUST read the content from the file at ${file} in sequential chunks until 100% of the content has been read.`,
    ...(isOneLine ? [longLines] : []),
    "- If you receive truncation warnings when reading the file, reduce the chunk size until you have read 100% of the content without truncation.",
    "- Before producing ANY summary or analysis, you MUST explicitly describe what portion of the content you have read. ***If you did not read the entire content, you MUST explicitly state this.***",
    "- If after a few attempts you cannot read the file (file not found, lines too long for Read's offset/limit, no shell access), STOP retrying. Summarize what you were able to read, explicitly state which portion you could not read and why, and proceed.\n",
  ].join("\n");
}

const longLines =
  "- Note: this file's lines are too long for Read's offset/limit chunking. If a shell tool is available, slice by character range (e.g. python read()[A:B], dd, or cut -c) instead.";

// Servers inherit the client's environment, so we see the user's `MAX_MCP_OUTPUT_TOKENS`.
function readAnswerTokensMax(
  env: Readonly<{ [name: string]: string | undefined }>,
): number | undefined {
  const text = env["MAX_MCP_OUTPUT_TOKENS"]?.trim() ?? "";
  const tokens = Number(text);
  return /^\d+$/.test(text) && Number.isSafeInteger(tokens) && tokens > 0 ? tokens : undefined;
}
