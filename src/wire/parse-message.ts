import type { Id } from "./message.ts";
import type { Message } from "./message.ts";
import type { SingleMessage } from "./message.ts";
import {
  batchItemsMax,
  lineTrustedBytesMax,
  nameCharactersMax,
  nestingMax,
  structuresMax,
} from "#limits.ts";
import { openBrace, openBracket } from "./ascii.ts";
import { isObject, type JsonObject } from "./json.ts";
import type { Line } from "./line.ts";
import { findMember, type Skim } from "./skim.ts";
import { skimBytes } from "./skimmer.ts";

const decoder = new TextDecoder();

/** Reads a line. Total: what cannot be read is `opaque`, and nothing throws. */
export function parseMessage(line: Line): Message {
  const { bytes } = line;
  if (!bytes) return fromSkim(line.skim);
  const skim = isSuspect(bytes) ? skimBytes(bytes) : undefined;
  if (skim && (skim.depth > nestingMax || skim.structures > structuresMax)) return fromSkim(skim);
  const text = decoder.decode(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: "opaque", reason: text.trim() === "" ? "blank" : "not-json" };
  }
  if (Array.isArray(value)) return batch(value);
  return single(value, () => skim ?? skimBytes(bytes));
}

/** Worth a look at its structure before it is parsed: long, or with more brackets than levels allowed. */
function isSuspect(bytes: Uint8Array): boolean {
  if (bytes.length <= 2 * nestingMax) return false;
  if (bytes.length > lineTrustedBytesMax) return true;
  return hasMany(bytes, openBracket, nestingMax / 2) || hasMany(bytes, openBrace, nestingMax / 2);
}

/** True when `byte` occurs more than `max` times; leaps from one to the next. */
function hasMany(bytes: Uint8Array, byte: number, max: number): boolean {
  let seen = 0;
  for (let at = bytes.indexOf(byte); at >= 0; at = bytes.indexOf(byte, at + 1)) {
    seen += 1;
    if (seen > max) return true;
  }
  return false;
}

function batch(values: readonly unknown[]): Message {
  if (values.length === 0) return { kind: "opaque", reason: "not-rpc" };
  // Raw ids of batch elements beyond 2^53 are not recovered: batches ended with revision 2025-03-26.
  const items = values.slice(0, batchItemsMax).map((value) => single(value));
  if (items.every((item) => item.kind === "opaque")) return { kind: "opaque", reason: "not-rpc" };
  return { kind: "batch", items, left: values.length - items.length };
}

function single(value: unknown, skim?: () => Skim): SingleMessage {
  const opaque: SingleMessage = { kind: "opaque", reason: "not-rpc" };
  if (!isObject(value) || value["jsonrpc"] !== "2.0") return opaque;
  const { id: rawId, method } = value;
  const id = readId(rawId, skim);
  if (typeof method === "string") return asked(method, id, value, rawId);
  if ("result" in value && id) {
    return { kind: "result", id, result: value["result"], truncated: false };
  }
  if ("error" in value && (id || rawId === null || rawId === undefined)) {
    return { kind: "error", id, error: value["error"], truncated: false };
  }
  return opaque;
}

function asked(
  rawMethod: string,
  id: Id | undefined,
  value: JsonObject,
  rawId: unknown,
): SingleMessage {
  const method = shortened(rawMethod);
  const params = value["params"];
  if (id) return { kind: "request", id, method, params, truncated: false };
  if (rawId === undefined || rawId === null) {
    return { kind: "notification", method, params, truncated: false };
  }
  return { kind: "opaque", reason: "not-rpc" };
}

function readId(rawId: unknown, skim: (() => Skim) | undefined): Id | undefined {
  if (typeof rawId === "string") return { value: rawId };
  if (typeof rawId !== "number") return undefined;
  if (Number.isSafeInteger(rawId) || !skim) return { value: rawId };
  const raw = findMember(skim(), "id")?.text;
  return raw === undefined ? { value: rawId } : { value: rawId, raw };
}

/** The frame of a message whose payload was not read. */
function fromSkim(skim: Skim | undefined): SingleMessage {
  const opaque: SingleMessage = { kind: "opaque", reason: "not-rpc" };
  if (!skim || skim.shape !== "object" || !skim.closed) return opaque;
  if (parsed(findMember(skim, "jsonrpc")?.text) !== "2.0") return opaque;
  const rawId = findMember(skim, "id");
  const id = readId(parsed(rawId?.text), () => skim);
  if (rawId && !id && rawId.text !== "null") return opaque;
  const rawMethod = parsed(findMember(skim, "method")?.text);
  if (typeof rawMethod === "string") {
    const method = shortened(rawMethod);
    return id
      ? { kind: "request", id, method, params: undefined, truncated: true }
      : { kind: "notification", method, params: undefined, truncated: true };
  }
  if (findMember(skim, "result") && id)
    return { kind: "result", id, result: undefined, truncated: true };
  if (findMember(skim, "error")) return { kind: "error", id, error: undefined, truncated: true };
  return opaque;
}

function parsed(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function shortened(name: string): string {
  return name.length <= nameCharactersMax ? name : name.slice(0, nameCharactersMax);
}
