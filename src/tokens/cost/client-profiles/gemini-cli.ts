import { tryParseJson } from "#kit/errors.ts";
import { formatCount } from "#kit/text/numbers.ts";
import { stringifyCompact, isObject } from "#wire/json.ts";
import { type Part, makeUnmeasuredMedia, type Block, blockKinds } from "./block.ts";
import type {
  ClientProfile,
  LimitedAnswer,
  LimitContext,
  ProtocolError,
  Echo,
  ShownItem,
  AnswerFacts,
  ClientDetails,
} from "./client-profile.ts";
import {
  formatLibraryError,
  formatMediaLabel,
  plainProfile,
  renameTool,
  serverName,
  typicalId,
  addProperty,
  makeTextPart,
  pickMedia,
  joinText,
} from "./common.ts";
import { findSdkRejection } from "./rejections.ts";

const characters = { answer: 40_000, head: 8_000, tail: 32_000 };

const file = `/home/user/.gemini/tmp/project/tool-outputs/session-${typicalId}/mcp_server_tool_1763769600000.txt`;

// Gemini models accept these formats, which we do not measure.
const unmeasuredType = /^(?:image\/(?:heic|heif|avif)|application\/pdf)$/;

const waitName = "wait_for_previous";
const waitForPrevious = {
  type: "boolean",
  description:
    "Set to true to wait for all previously requested tools in this turn to complete before starting. Set to false (or omit) to run in parallel. Use true when this tool depends on the output of previous tools.",
};

// If an answer has no structured content, and its first block is JSON text, these versions copy the JSON to the
// structured content. If the JSON is not an object, they reject the answer. For a tool error, we assume that all
// versions copy the JSON, but only if it is an object.
const copyingVersion = /^0\.61\./;

export function geminiCli({ version = "" }: ClientDetails): ClientProfile {
  return copyingVersion.test(version) ? { ...profile, renderRejection: rejectWithCopy } : profile;
}

const profile: ClientProfile = {
  ...plainProfile,
  client: "gemini-cli",
  names: ["gemini-cli-mcp-client", "gemini-cli", "gemini cli"],
  measured: { version: "0.61.0", on: "2026-11-26", kinds: blockKinds },
  order: "content-only",
  separator: "\n",
  blocks: {
    text: ({ parts }) => wrapUntrusted(parts),
    image: renderLabelled("image"),
    "unreadable-image": (block, { echo }) => [
      formatMediaLabel("image", block.mimeType, echo),
      ...(unmeasuredType.test(block.mimeType)
        ? [makeUnmeasuredMedia(block.bytes)]
        : listReadableMedia(block)),
    ],
    audio: ({ mimeType }, { echo }) => [
      reportStripped(mimeType),
      formatMediaLabel("audio", mimeType, echo),
    ],
    link: ({ title, name, uri }) => [`Resource Link: ${title === "" ? name : title} at ${uri}`],
    "resource-text": ({ text }) => (text === "" ? [] : wrapUntrusted([text])),
    "resource-image": renderLabelled("embedded resource"),
    "resource-blob": ({ mimeType, bytes }, { echo }) => {
      if (bytes === 0) return [];
      const sentence = formatMediaLabel("embedded resource", mimeType, echo);
      if (/^(?:audio|video)\//.test(mimeType)) return [reportStripped(mimeType), sentence];
      if (mimeType.startsWith("image/") && !unmeasuredType.test(mimeType)) return [sentence];
      return [sentence, makeUnmeasuredMedia(bytes)];
    },
    unknown: () => [],
  },
  renderRejection: (result, { echo }) => reportFlaws(findRejection(result), echo),
  renderToolError: (answer) => [reportError(answer.echo, addCopy(answer))],
  renderProtocolError: (error: ProtocolError) => [
    reportError(
      error.echo,
      JSON.stringify({ error: { message: formatLibraryError(error), isError: true } }),
    ),
  ],
  limitAnswer,
  addedArguments: [waitName],
  trialNames: ["mcp-test-client"], // used by `gemini mcp list`
  // The client reads no file outside the workspace and its own temporary folder.
  spillFolder: "workspace",
  definitions: {
    ...plainProfile.definitions,
    formatTool: (tool) => addProperty(renameTool(tool, qualifyName), waitName, waitForPrevious),
    formatInstructions: (text) =>
      `The following are instructions provided by the tool server '${serverName}':\n---[start of server instructions]---\n${text}\n---[end of server instructions]---`,
  },
};

function qualifyName(tool: string): string {
  const name = `mcp_${serverName}_${tool}`;
  return name.length <= 63 ? name : `${name.slice(0, 30)}...${name.slice(-30)}`;
}

function wrapUntrusted(pieces: ShownItem): ShownItem {
  return ["<untrusted_context>\n", ...pieces, "\n</untrusted_context>"];
}

function reportStripped(mimeType: string): string {
  return `[SYSTEM: Binary content (${mimeType}) stripped from response due to protocol limitations.]\n`;
}

// Leaves out images whose size cannot be read, because models reject them. Not called for an `unmeasuredType`.
function listReadableMedia(block: Block): ShownItem {
  return pickMedia(block.parts).filter((part) => part.kind !== "image" || part.size !== undefined);
}

function renderLabelled(kind: "image" | "embedded resource") {
  return (block: Block, { echo }: Pick<AnswerFacts, "echo">): ShownItem => [
    formatMediaLabel(kind, block.mimeType, echo),
    ...pickMedia(block.parts),
  ];
}

function parseCopy({ structured, blocks: [first] }: AnswerFacts): unknown {
  return !structured && first?.kind === "text" ? tryParseJson(first.text) : undefined;
}

function addCopy(answer: AnswerFacts): string {
  const { json } = answer;
  const copied = parseCopy(answer);
  return isObject(copied)
    ? `${json().slice(0, -1)},"structuredContent":${stringifyCompact(copied)}}`
    : json();
}

function rejectWithCopy(result: unknown, answer: AnswerFacts) {
  return reportFlaws(findRejection(result, parseCopy(answer)), answer.echo);
}

function findRejection(result: unknown, structured?: unknown): string | undefined {
  return findSdkRejection(result, { structured, listsAllForms: true });
}

function reportFlaws(reason: string | undefined, echo: Echo): readonly ShownItem[] | undefined {
  if (reason === undefined) return undefined;
  return [reportError(echo, JSON.stringify({ error: { message: reason, isError: true } }))];
}

function reportError({ tool, args }: Echo, response: string): ShownItem {
  const call = `{"name":${JSON.stringify(tool)},"args":${args === "" ? "{}" : args}}`;
  const wrapped = `[{"functionResponse":{"name":${JSON.stringify(tool)},"response":${response}}}]`;
  return [
    `MCP tool '${tool}' reported tool error for function call: ${call} with response: ${wrapped}`,
  ];
}

function limitAnswer(parts: readonly Part[], { blocks }: LimitContext): LimitedAnswer | undefined {
  const text = joinText(parts);
  const value = text.length;
  if (blocks !== 1 || value <= characters.answer || pickMedia(parts).length > 0) return undefined;
  const head = text.slice(0, characters.head);
  const tail = text.slice(-characters.tail);
  const omitted = formatCount(value - characters.head - characters.tail);
  const shortened = `Output too large. Showing first 8,000 and last 32,000 characters. For full output see: ${file}\n${head}\n\n... [${omitted} characters omitted] ...\n\n${tail}`;
  const facts = { value, limit: characters.answer, unit: "character" } as const;
  return { ...facts, alert: "would_truncate", parts: [makeTextPart(shortened)] };
}
