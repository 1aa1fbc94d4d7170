import { type JsonObject, readMember } from "#wire/json.ts";
import type { Caller } from "#wire/message.ts";
import { type Part, type Block, blockKinds } from "./block.ts";
import type {
  ClientDetails,
  ClientProfile,
  LimitedAnswer,
  ProtocolError,
  ShownItem,
} from "./client-profile.ts";
import {
  cutText,
  mapSchemas,
  plainProfile,
  qualifyName,
  renameTool,
  serverName,
  countBytes,
  splitEnds,
  joinText,
  replaceTexts,
} from "./common.ts";
import { isUnrecognizedResult } from "./rejections.ts";

// The limit of an answer depends on whether the model is in Codex's catalogue.
const answerBytesMax = 48_000;
const uncataloguedAnswerBytesMax = 12_000;

const summaryCharacters = 250;

type Mode = "scripted" | "direct" | "uncatalogued";

// Name prefixes of the catalogue's models. A scripting model writes scripts that call tools.
const directModels = ["gpt-5.5"];
const scriptingModels = ["gpt-5.6", "gpt-6"];

const header = "Wall time: 0.0110 seconds\nOutput:";

export function codex({ model }: ClientDetails): ClientProfile {
  const mode = findMode(model);
  const bytesMax = mode === "uncatalogued" ? uncataloguedAnswerBytesMax : answerBytesMax;
  return {
    ...plainProfile,
    recordedAs: mode === "scripted" ? "unknown" : "structured-first",
    client: "codex",
    names: ["codex-mcp-client", "codex"],
    measured: { version: "0.171.0", on: "2026-11-26", kinds: blockKinds },
    order: "prefer-structured",
    besideStructured: [],
    header,
    blocks: {
      ...plainProfile.blocks,
      "unreadable-image": () => ["image content omitted because it could not be processed"],
      link: renderBlock,
      "resource-text": renderBlock,
      "resource-image": renderBlock,
      "resource-blob": renderBlock,
      audio: () => ["<audio content omitted because you do not support audio input>"],
    },
    renderRejection,
    renderProtocolError,
    limitError: (parts) => limitAnswer(parts, bytesMax),
    limitAnswer: (parts) => limitAnswer(parts, bytesMax),
    resourcesAsJson: true,
    isScripted: (caller) => isScripted(caller, mode),
    definitions: {
      deferral: mode === "uncatalogued" ? "never" : "always",
      formatTool: (tool) =>
        restrictSchema(mode === "direct" ? tool : renameTool(tool, qualifyName)),
      formatListing: () => "",
      formatInstructions: (text, isDeferred) =>
        isDeferred ? `- mcp__${serverName}: ${summarize(text)}\n` : text,
      // For direct models, Codex puts loaded tools into a namespace with the server's name and instructions.
      formatLoadedInstructions: (text) =>
        mode === "direct" ? `mcp__${serverName}\n${text}` : text,
      repeatsInstructions: mode === "scripted",
    },
  };
}

const renderRejection: ClientProfile["renderRejection"] = (result, { echo }) =>
  isUnrecognizedResult(result) ? formatFailure(echo.tool, "Unexpected response type") : undefined;

// Unlike most clients, Codex keeps the `_meta` of links and resources.
function renderBlock(block: Block): ShownItem {
  return readMember(block.raw, "_meta") === undefined ? block.parts : [block.json()];
}

function summarize(instructions: string): string {
  const [line = ""] = instructions.split("\n", 1);
  return line.length <= summaryCharacters ? line : cutText(line, summaryCharacters - 3, "...");
}

// Without a model name, assumes a model that writes scripts, as most models in the catalogue do.
function findMode(rawModel: string | undefined): Mode {
  const model = (rawModel ?? "").toLowerCase();
  if (model === "" || model === "codex") return "scripted";
  if (directModels.some((name) => model.startsWith(name))) return "direct";
  return scriptingModels.some((name) => model.startsWith(name)) ? "scripted" : "uncatalogued";
}

// Scripts send call ids that start with `exec-`. Without an id, the model's name shows whether it writes scripts.
function isScripted({ callId, model }: Caller, mode: Mode): boolean {
  if (callId !== undefined) return callId.startsWith("exec-");
  return (model === undefined ? mode : findMode(model)) === "scripted";
}

function renderProtocolError(error: ProtocolError): readonly ShownItem[] {
  const data = error.data === "" ? "" : `(${error.data})`;
  return formatFailure(error.echo.tool, `Mcp error: ${error.code}: ${error.message}${data}`);
}

function formatFailure(tool: string, cause: string): readonly ShownItem[] {
  const name = `${serverName}/${tool}`;
  const text = `tool call error: tool call failed for \`${name}\`\n\nCaused by:\n    ${cause.replaceAll("\n", "\n    ")}`;
  return [[header], [text]];
}

function limitAnswer(parts: readonly Part[], limit: number): LimitedAnswer | undefined {
  const value = countBytes(parts);
  if (value <= limit) return undefined;
  const { head, tail } = splitEnds(joinText(parts), limit / 2, limit / 2);
  const shortened = `${head}…${Math.ceil((value - limit) / 4)} tokens truncated…${tail}`;
  const shown = replaceTexts(parts, shortened);
  return { parts: shown, alert: "would_truncate", value, limit, unit: "byte" };
}

const supportedKeywords = new Set([
  "type",
  "description",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "minItems",
  "enum",
  "anyOf",
  "oneOf",
  "allOf",
  "$ref",
  "$defs",
  "definitions",
]);

function restrictSchema(tool: JsonObject): JsonObject {
  return { ...tool, inputSchema: mapSchemas(tool["inputSchema"], pickKeywords) };
}

function pickKeywords({ const: constant, ...schema }: JsonObject): JsonObject {
  const members = Object.entries(completeSchema(constant, schema));
  return Object.fromEntries(members.filter(([key]) => supportedKeywords.has(key)));
}

function completeSchema(constant: unknown, schema: JsonObject): JsonObject {
  if (constant !== undefined) {
    const type = typeof constant === "string" ? { type: "string" } : {};
    return { ...type, ...schema, enum: [constant] };
  }
  return schema["type"] === "object" ? { properties: {}, ...schema } : schema;
}
