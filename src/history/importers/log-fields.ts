import { addUp } from "#kit/text/numbers.ts";
import { nameCharactersMax } from "#kit/limits.ts";
import {
  canonicalizeJson,
  stringifyCompact,
  isObject,
  readMember,
  readString,
} from "#wire/json.ts";
import { tryParseJson } from "#kit/errors.ts";
import type { LogText, ReaderUtils, ServerSettings, UserHome } from "../imports/importer.ts";
import { parseRaw, RawJson } from "../imports/raw-json.ts";
import type {
  CallFacts,
  ConversationEvent,
  ToolName,
  ToolResultEvent,
  ToolUseEvent,
} from "../imports/log-event.ts";

export const importedModelsMax = 256;

// The end of 9999-12-30 in UTC. A day later, the year has five digits in some time zones.
export const importTimeMsMax = 253_402_214_399_999;

export function readId(
  utils: Pick<ReaderUtils, "sha256">,
  value: unknown,
  ...path: readonly [string, string?, string?]
): string | null {
  const member = parseRaw(readMember(value, ...path));
  if (typeof member !== "string" || member === "") return null;
  // Some JSON readers reject lone surrogates.
  return member.length > nameCharactersMax ? utils.sha256(member) : member.toWellFormed();
}

export function parseTime(value: unknown): number | null {
  const ms = typeof value === "string" ? Date.parse(value) : value;
  const isTime = typeof ms === "number" && ms >= 0 && ms <= importTimeMsMax;
  return isTime ? Math.trunc(ms) : null;
}

export function measureArguments(
  rawArguments: unknown,
  utils: Pick<ReaderUtils, "sha256" | "measuresTexts" | "countTokens">,
  model: string | null,
): Pick<ToolUseEvent, "argumentBytes" | "argumentTokens" | "argumentsHash"> {
  if (!utils.measuresTexts) return notMeasured;
  const args = parseRaw(rawArguments);
  const text = typeof args === "string" ? args : stringifyCompact(args ?? {});
  return {
    argumentBytes: Buffer.byteLength(text),
    argumentTokens: utils.countTokens(text, model),
    argumentsHash: hashArguments(args, utils),
  };
}

type LoggedCall = {
  readonly id: string;
  readonly name: ToolName;
  readonly method?: ToolUseEvent["method"];
  readonly args: unknown;
};

export function makeToolUse(
  { at, conversation, model, message }: CallFacts & { readonly message: string | null },
  { id, name, method = "tools/call", args }: LoggedCall,
  utils: ReaderUtils,
): ToolUseEvent {
  return {
    kind: "tool_use",
    at,
    conversation,
    id,
    name,
    method,
    ...measureArguments(args, utils, model),
    model,
    message,
  };
}

type LoggedAnswer = Pick<ToolResultEvent, "id" | "outcome" | "images"> & {
  readonly texts: readonly LogText[];
};

export function makeToolResult(
  { at, conversation, model }: CallFacts,
  { id, outcome, texts, images }: LoggedAnswer,
  utils: ReaderUtils,
): ToolResultEvent {
  return {
    kind: "tool_result",
    at,
    conversation,
    id,
    outcome,
    visible: "as_logged",
    ...measureTexts(texts, utils, model),
    images,
  };
}

const notMeasured = { argumentBytes: 0, argumentTokens: null, argumentsHash: null };

function hashArguments(args: unknown, utils: Pick<ReaderUtils, "sha256">): string | null {
  const value = typeof args === "string" ? tryParseJson(args) : (args ?? {});
  return isObject(value) ? utils.sha256(canonicalizeJson(value)) : null;
}

export function measureTexts(
  texts: readonly LogText[],
  utils: Pick<ReaderUtils, "countTokens">,
  model: string | null,
): { readonly bytes: number; readonly tokens: number | null } {
  const counts = texts.map((text) => utils.countTokens(text, model));
  return {
    bytes: addUp(texts.map(countBytes)),
    tokens: counts.includes(null) ? null : addUp(counts.map((count) => count ?? 0)),
  };
}

function countBytes(text: LogText): number {
  return typeof text === "string" ? Buffer.byteLength(text) : text.length;
}

export function readLogText(value: unknown): LogText | undefined {
  if (value instanceof RawJson) return value.readText();
  return typeof value === "string" ? value : undefined;
}

export function readBlocks(
  content: unknown,
  imageType: string,
): { readonly texts: readonly string[]; readonly images: number } {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content ?? ""];
  const texts = blocks.filter((block) => readString(block, "type") !== imageType).map(readBlock);
  return { texts, images: blocks.length - texts.length };
}

function readBlock(block: unknown): string {
  if (typeof block === "string") return block;
  return readString(block, "text") ?? stringifyCompact(block);
}

// In some clients' logs, the same field may hold seconds or milliseconds.
export function parseSecondsOrMs(value: unknown): number | null {
  if (typeof value !== "number") return null;
  return parseTime(Math.abs(value) < 1e11 ? value * 1000 : value);
}

export function isImageType(mimeType: string | undefined): boolean {
  return mimeType?.startsWith("image/") === true;
}

const beginningBytes = 256;

// Returns enough to recognize the ASCII texts with which clients begin some answers.
export function readBeginning(text: LogText): string {
  if (typeof text === "string") return text.slice(0, beginningBytes);
  return text.toString("latin1", 0, Math.min(text.length, beginningBytes));
}

// In dollars.
const loggedCostMax = 1e9;

export function parseCost(value: unknown): number | undefined {
  return typeof value === "number" && value >= 0 && value <= loggedCostMax ? value : undefined;
}

export function parseDurationMs(ms: unknown): number | null {
  return typeof ms === "number" && ms >= 0 && ms <= importTimeMsMax ? ms : null;
}

export function makeProjectFields(
  folder: string | undefined,
  utils: Pick<ReaderUtils, "hashProject" | "nameProject">,
): Pick<ConversationEvent, "project" | "projectName"> {
  if (folder === undefined) return { project: null };
  const projectName = utils.nameProject(folder);
  return { project: utils.hashProject(folder), ...(projectName === null ? {} : { projectName }) };
}

export function readFolderVariable(env: UserHome["env"], variable: string): string | undefined {
  const folder = env[variable] ?? "";
  return /^(?:\/|[A-Za-z]:[\\/])/.test(folder) ? folder.replace(/[\\/]+$/, "") : undefined;
}

export function findConfigHome({ folder, env }: UserHome): string {
  return readFolderVariable(env, "XDG_CONFIG_HOME") ?? `${folder}/.config`;
}

export function findDataHome({ folder, env }: UserHome): string {
  return readFolderVariable(env, "XDG_DATA_HOME") ?? `${folder}/.local/share`;
}

export function findApplicationFolder(home: UserHome): string {
  const { folder, env, platform } = home;
  if (platform === "darwin") return `${folder}/Library/Application Support`;
  if (platform === "win32")
    return readFolderVariable(env, "APPDATA") ?? `${folder}/AppData/Roaming`;
  return findConfigHome(home);
}

export function makeServerSettings(file: string, member = "mcpServers"): ServerSettings {
  return { file, form: "json", paths: [[member]] };
}

export function findProjectName(folder: string): string | null {
  return folder.split(/[\\/]/).findLast((segment) => segment !== "") ?? null;
}
