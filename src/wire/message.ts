import { tryParseJson } from "#kit/errors.ts";
import { nameCharactersMax } from "#kit/limits.ts";
import { isObject, readMember, readString } from "./json.ts";

// `raw` is the text of a number that is not a safe integer: several such texts may have the same `value`.
export type Id = { readonly value: string | number; readonly raw?: string };

type Doubt = { readonly mayBeRejected?: true }; // SDK clients may reject the message, and its request then stays open

// A `truncated` message was too long, too deep or ambiguous: at most `taskId` and `requestState` of its params
// are known.
type Method = { readonly method: string; readonly params: unknown; readonly truncated: boolean };

export type SingleMessage =
  | ({ readonly kind: "request"; readonly id: Id } & Method)
  | ({ readonly kind: "notification" } & Method)
  | ({
      readonly kind: "result";
      readonly id: Id;
      readonly result: unknown;
      readonly error?: unknown; // set if the message has `result` and `error`; clients differ in which one they read
      readonly truncated: boolean;
    } & Doubt)
  | ({
      readonly kind: "error";
      readonly id: Id | undefined;
      readonly error: unknown;
      readonly truncated: boolean;
    } & Doubt)
  | {
      readonly kind: "opaque";
      readonly reason: OpaqueReason;
      readonly lines?: number; // non-blank lines, if several were grouped
      readonly mayHoldMessage?: true; // a reader may find a message in this line
      readonly expectsAnswer?: true;
    };

export type OpaqueMessage = Extract<SingleMessage, { readonly kind: "opaque" }>;

// `omitted` counts a batch's elements beyond the limit.
export type Message =
  | SingleMessage
  | { readonly kind: "batch"; readonly items: readonly SingleMessage[]; readonly omitted: number };

// Only a message that may be refused is checked for "ambiguous" and "not-utf-8".
export type OpaqueReason = "blank" | "not-json" | "not-rpc" | "ambiguous" | "not-utf-8";

// `Skimmer` keeps these members of every message, and a limited number of others.
export const frameKeys: ReadonlySet<string> = new Set([
  "jsonrpc",
  "id",
  "method",
  "params",
  "result",
  "error",
]);

// Members of `params` that name a tool or prompt, a task, or a round of input.
export const subjectKeys: ReadonlySet<string> = new Set(["name", "taskId", "requestState"]);

export type Side = "client" | "server";

export function oppositeSide(side: Side): Side {
  return side === "client" ? "server" : "client";
}

// `rawId` is the id's text exactly as in the request.
export function makeResultLine(rawId: string, result: unknown): Uint8Array {
  return encodeLine(`"id":${rawId},"result":${JSON.stringify(result)}`);
}

export function makeErrorLine(rawId: string, error: unknown): Uint8Array {
  return encodeLine(`"id":${rawId},"error":${JSON.stringify(error)}`);
}

export function makeNotificationLine(method: string, params: unknown): Uint8Array {
  return encodeLine(`"method":${JSON.stringify(method)},"params":${JSON.stringify(params)}`);
}

function encodeLine(members: string): Uint8Array {
  return new TextEncoder().encode(`{"jsonrpc":"2.0",${members}}\n`);
}

// Outside -32768…-32000, which JSON-RPC and MCP reserve.
const refusalCode = -31_900;

type RefusalData = {
  readonly source: "mcp-meter";
  readonly reason: string;
  readonly tool: string | null;
  readonly limit: number;
  readonly spent: number;
  readonly tokens: number;
  readonly per: string;
};

export function makeRefusalResult(text: string, isModern: boolean): unknown {
  const type = isModern ? { resultType: "complete" } : {};
  return { ...type, content: [{ type: "text", text }], isError: true };
}

export function makeRefusalError(text: string, data: RefusalData): unknown {
  return { code: refusalCode, message: text, data };
}

export type Implementation = { readonly name: string; readonly version: string | undefined };

// `legacy` begins with `initialize`; `modern` is stateless, revision 2026-07-28 and later.
export type Era = "legacy" | "modern";

const protocolVersionKey = "io.modelcontextprotocol/protocolVersion";
const clientInfoKey = "io.modelcontextprotocol/clientInfo";
const capabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
const serverInfoKey = "io.modelcontextprotocol/serverInfo";

export type ClientIntroduction = {
  readonly era: Era;
  readonly client: Implementation | undefined;
  readonly protocolVersion: string | undefined;
  readonly showsApps: boolean;
};

export function readClientIntroduction(
  method: string,
  params: unknown,
): ClientIntroduction | undefined {
  if (method === "initialize") {
    return {
      era: "legacy",
      client: readImplementation(readMember(params, "clientInfo")),
      protocolVersion: limitLength(readString(params, "protocolVersion")),
      showsApps: showsApps(readMember(params, "capabilities")),
    };
  }
  const protocolVersion = limitLength(readString(params, "_meta", protocolVersionKey));
  if (protocolVersion === undefined) return undefined;
  const client = readImplementation(readMember(params, "_meta", clientInfoKey));
  const capabilities = readMember(params, "_meta", capabilitiesKey);
  return { era: "modern", client, protocolVersion, showsApps: showsApps(capabilities) };
}

function showsApps(capabilities: unknown): boolean {
  return isObject(readMember(capabilities, "extensions", appsExtension));
}

export type ServerIntroduction = {
  readonly server: Implementation | undefined;
  readonly protocolVersion: string | undefined;
  readonly instructions: string | undefined;
};

// Modern servers may name themselves in the `_meta` of any result.
export function readServerIntroduction(
  method: string,
  result: unknown,
): ServerIntroduction | undefined {
  const isHandshake = method === "initialize" || method === "server/discover";
  const rawServer = readMember(result, "_meta", serverInfoKey) ?? readMember(result, "serverInfo");
  if (!isHandshake && rawServer === undefined) return undefined;
  return {
    server: readImplementation(rawServer),
    protocolVersion: isHandshake ? limitLength(readString(result, "protocolVersion")) : undefined,
    instructions: isHandshake ? readString(result, "instructions") : undefined,
  };
}

function readImplementation(value: unknown): Implementation | undefined {
  const name = limitLength(readString(value, "name"));
  if (name === undefined || name === "") return undefined;
  return { name, version: limitLength(readString(value, "version")) };
}

function limitLength(text: string | undefined): string | undefined {
  return text?.slice(0, nameCharactersMax);
}

// MCP Apps are pages that a server provides and a host shows to its user. Hosts show the model neither these pages nor
// the tools that only these pages may call.
const appsExtension = "io.modelcontextprotocol/ui";

export function isAppPage(uri: string | undefined): boolean {
  return uri?.startsWith("ui://") === true;
}

// True only for `["app"]`, as in the library that hosts use. With any other value, the model may see the tool.
export function isAppOnlyTool(tool: unknown): boolean {
  const visibility = readMember(tool, "_meta", "ui", "visibility");
  return Array.isArray(visibility) && visibility.length === 1 && visibility[0] === "app";
}

export type TraceParent = {
  readonly traceId: string; // 32 lower-case hexadecimal digits
  readonly spanId: string; // 16
  readonly isSampled: boolean;
};

const traceParentForm =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

export function parseTraceParent(text: string): TraceParent | undefined {
  const [, traceId, spanId, flags] = traceParentForm.exec(text) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

const turnMetadataKey = "x-codex-turn-metadata";

export const turnMetadataCharactersMax = 4_096;

// From the `_meta` of a request: the model that sent it, and ids that the client also logs.
export type Caller = {
  readonly callId?: string;
  readonly model?: string;
  readonly threadId?: string;
  readonly sessionId?: string;
  readonly turnId?: string;
  readonly traceParent?: string;
};

export const noCaller: Caller = {};

export function readCaller(params: unknown): Caller {
  if (readMember(params, "_meta") === undefined) return noCaller;
  const turn = parseTurn(params);
  const readMeta = (name: string): string | undefined => readString(params, "_meta", name);
  return {
    ...keepUsable("callId", readMeta("claudecode/toolUseId") ?? readMeta("callId")),
    ...keepUsable("model", readString(turn, "model")),
    ...keepUsable("threadId", readMeta("threadId") ?? readString(turn, "thread_id")),
    ...keepUsable("sessionId", readMeta("sessionId") ?? readString(turn, "session_id")),
    ...keepUsable("turnId", readMeta("turn_id") ?? readString(turn, "turn_id")),
    ...keepUsable("traceParent", filterTraceParent(readMeta("traceparent"))),
  };
}

function keepUsable(name: keyof Caller, text: string | undefined): Caller {
  const isUsable = text !== undefined && text !== "" && text.length <= nameCharactersMax;
  return isUsable ? { [name]: text } : {};
}

// A text that is not a valid traceparent must not get into the records.
function filterTraceParent(text: string | undefined): string | undefined {
  return text !== undefined && parseTraceParent(text) ? text : undefined;
}

// Codex sends an object, or JSON in a string.
function parseTurn(params: unknown): unknown {
  const json = readString(params, "_meta", turnMetadataKey);
  if (json === undefined) return readMember(params, "_meta", turnMetadataKey);
  return json.length > turnMetadataCharactersMax ? undefined : tryParseJson(json);
}
