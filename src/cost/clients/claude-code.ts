import { plural } from "#text/numbers.ts";
import type { Part } from "../part.ts";
import { type Block, blockKinds } from "./block.ts";
import { clientCutTokens } from "./claude-code-env.ts";
import type {
  ClientFacts,
  ClientProfile,
  Limited,
  LimitTerms,
  ShownText,
  AnswerFacts,
} from "./client-profile.ts";
import {
  asItCame,
  cut,
  joinedTexts,
  nameLine,
  plainProfile,
  renamed,
  serverName,
  withShortDescription,
} from "./common.ts";
import type { Deferral, DefinitionRules } from "./definition-rules.ts";
import { charactersIn, frame, hasImage, kilobytes, mediaOf, textOf } from "./text-pieces.ts";

/** Where it writes files; the user, the project and the session differ, the length hardly does. */
const folder =
  "/home/user/.claude/projects/-home-user-projects-example-organisation-application/5f0c1e9a-7c43-4d53-9b5e-2f8f0f6f3c1d/tool-results";
const file = `${folder}/mcp-server-tool-1763769600000.txt`;

const characters = {
  /** A longer answer is saved, and a note stays. */
  saved: 50_000,
  /** The most that a tool may ask for in its place. */
  requestedMax: 500_000,
  preview: 2_000,
  error: 10_000,
  /** Of a description in a list that is not deferred, and of the instructions. */
  description: 4_096,
};
const imageTokens = 1_600;
/** Characters a token that no text has but one of spaces. */
const farCharacters = 16;

/** Claude Code, as its user has configured it. */
export function claudeCode({ env = {} }: ClientFacts): ClientProfile {
  const cutTokens = clientCutTokens(env) ?? 25_000;
  return {
    ...plainProfile,
    id: "structured-first",
    names: ["claude-code"],
    measured: { version: "2.1.330", on: "2026-11-21" },
    order: "structured-first",
    besideStructured: blockKinds.filter((kind) => kind !== "text"),
    empty: ({ tool }) => `(${qualified(tool)} completed with no output)`,
    blocks,
    invalid: {
      isNullRejected: true,
      show: (reason) => [[`MCP error -32602: Invalid tools/call result: ${reason}`]],
    },
    toolError,
    protocolError: ({ message }) => [[message]],
    limit: (parts, terms) => limited(parts, terms, cutTokens),
    definitions: definitions(env),
  };
}

const blocks: ClientProfile["blocks"] = {
  ...plainProfile.blocks,
  image: ({ parts }) => [...parts, `[Image: source: ${folder}/mcp-server-image-1763769600000.png]`],
  "unreadable-image": savedBinary,
  audio: savedBinary,
  link: ({ name, uri, description }) => [
    `[Resource link: ${name}] ${uri}${description === "" ? "" : ` (${description})`}`,
  ],
  "resource-text": ({ text, uri }) => [`[Resource from ${serverName} at ${uri}] `, text],
  "resource-image": ({ parts, uri }) => [
    `[Resource from ${serverName} at ${uri}] `,
    ...mediaOf(parts),
  ],
  "resource-blob": savedBinary,
  unknown: asItCame,
};

const mark = "… [truncated]";

function definitions(env: NonNullable<ClientFacts["env"]>): DefinitionRules {
  return {
    deferral: deferral(env["ENABLE_TOOL_SEARCH"]),
    form: (tool, isLoaded) => {
      const named = renamed(tool, qualified);
      // A definition that is loaded on demand is whole.
      return isLoaded ? named : withShortDescription(named, characters.description, mark);
    },
    listing: (tool) => nameLine(tool, qualified),
    instructions: (text) => cut(text, characters.description, mark),
    loadedInstructions: () => "",
    repeatsInstructions: false,
  };
}

function qualified(tool: string): string {
  return `mcp__${serverName}__${tool}`;
}

/** `ENABLE_TOOL_SEARCH`: on unless it is switched off; `auto` and `auto:N` defer from a share of the window on. */
function deferral(rawSetting = ""): Deferral {
  const setting = rawSetting.trim().toLowerCase();
  if (["false", "0", "no", "off"].includes(setting)) return "never";
  const auto = /^auto(?::(\d{1,3}))?$/.exec(setting);
  return auto ? { overPercent: Number(auto[1] ?? 10) } : "always";
}

function savedBinary({ mimeType, bytes }: Block): ShownText {
  const path = `${folder}/mcp-server-binary-1763769600000-5f0c1e9a7c434d539b5e.bin`;
  return [`Binary content (${mimeType}, ${kilobytes(bytes)}) saved to ${path}`];
}

function toolError(answer: AnswerFacts): readonly ShownText[] {
  const pieces = joinedTexts(answer, "\n");
  const all = pieces.map((piece) => (typeof piece === "string" ? piece : textOf([piece]))).join("");
  if (all === "") return [["Unknown error"]];
  const max = characters.error;
  if (all.length <= max) return [pieces];
  const half = max / 2;
  const middle = `\n\n... [${all.length - max} characters truncated] ...\n\n`;
  return [[all.slice(0, half) + middle + all.slice(-half)]];
}

/** A long answer is saved, unless it holds images: then its text is cut. */
function limited(
  parts: readonly Part[],
  { requestedCharacters, count }: LimitTerms,
  cutTokens: number,
): Limited | undefined {
  const length = charactersIn(parts);
  const images = parts.filter(({ kind }) => kind === "image").length;
  const requested = requestedMax(requestedCharacters());
  const estimate = length / 4 + images * imageTokens;
  const isCounted = requested === undefined || images > 0;
  if (isCounted && estimate > cutTokens / 2) {
    // So long a text has too many tokens, unless it is hardly more than white space: it need not be counted.
    const isFar = length > cutTokens * farCharacters;
    const tokens = isFar ? cutTokens + 1 : count(parts, cutTokens);
    if (tokens > cutTokens) {
      const facts = { value: tokens, limit: cutTokens, unit: "token" } as const;
      return images > 0
        ? { ...facts, alert: "would_truncate", parts: cutBesideImages(parts, cutTokens) }
        : { ...facts, alert: "would_spill", parts: [frame(savedNote(parts, length))] };
    }
  }
  const limit = requested ?? characters.saved;
  if (length <= limit || hasImage(parts)) return undefined;
  const left = [frame(preview(parts))];
  return { alert: "would_spill", parts: left, value: length, limit, unit: "character" };
}

function requestedMax(raw: unknown): number | undefined {
  if (typeof raw !== "number" || !(raw > 0)) return undefined;
  return Math.min(raw, characters.requestedMax);
}

function cutBesideImages(parts: readonly Part[], cutTokens: number): readonly Part[] {
  return [frame(textOf(parts).slice(0, cutTokens * 4)), ...mediaOf(parts)];
}

function preview(parts: readonly Part[]): string {
  const text = textOf(parts);
  const size = kilobytes(Buffer.byteLength(text));
  const head = text.slice(0, characters.preview);
  return `<persisted-output>\nOutput too large (${size}). Full output saved to: ${file}\n\nPreview (first 2KB):\n${head}\n...\n</persisted-output>`;
}

function savedNote(parts: readonly Part[], length: number): string {
  const lines = countLines(textOf(parts));
  const extent = `${plural(length, "character")} across ${plural(lines, "line")}`;
  return [
    `Error: result (${extent}) exceeds maximum allowed tokens. Output has been saved to ${file}.`,
    "Format: Plain text",
    "- For targeted searches (find a line, locate a string): use grep on the file directly.",
    `- For analysis or summarization that requires reading the full content: read ${file} in chunks of ~${lines} lines using offset/limit until you have read 100% of it.`,
    `- If the Agent tool is available, do this inside a subagent so the full output stays out of your main context. Give it the instruction above verbatim, and be explicit about its answer and format — e.g. "Read ${file} in chunks of ~${lines} lines using offset/limit until you have read all ${lines} lines, then summarize and quote any key findings verbatim." A vague "summarize this" may lose detail.`,
  ].join("\n");
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}
