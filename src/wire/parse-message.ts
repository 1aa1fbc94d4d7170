import {
  batchItemsMax,
  lineTrustedBytesMax,
  nameCharactersMax,
  nestingMax,
  structuresMax,
} from "#limits/lines.ts";
import { openBrace, openBracket } from "./ascii.ts";
import { type Frame, parsedFrame, skimmedFrame } from "./frame.ts";
import type { Line } from "./line.ts";
import type { Message, OpaqueReason, SingleMessage } from "./message.ts";
import { withoutNonFinite } from "./non-finite.ts";
import { findMember, type Skim } from "./skim.ts";
import { skimBytes } from "./skimmer.ts";

const decoder = new TextDecoder();

/** Parses a line. Never throws: a line that is not a message is `opaque`. */
export function parseMessage(line: Line): Message {
  const { bytes } = line;
  if (!bytes) return skimmedMessage(line.skim);
  const skim = isSuspect(bytes) ? skimBytes(bytes) : undefined;
  if (skim && (skim.depth > nestingMax || skim.structures > structuresMax)) {
    return skimmedMessage(skim);
  }
  const text = decoder.decode(bytes);
  const start = text.search(inked);
  if (start < 0) return opaque("blank");
  const parsed = parseLeniently(text, start);
  if (!parsed) return notJson(text, start, bytes);
  const { value } = parsed;
  if (Array.isArray(value)) return toBatch(value);
  const frame = parsedFrame(value, () => skim ?? skimBytes(bytes));
  const isStrict = parsed.isStrict && bytes[0] !== byteOrderMarkStart;
  return toMessage(frame, isStrict && frame?.isAcceptedEverywhere === true);
}

/** First byte of U+FEFF: the decoder drops it, a client's parser may not. */
const byteOrderMarkStart = 0xef;

/** The value of a JSON text that begins at `start`; not strict when it holds `NaN` or `Infinity`. Undefined when it is not JSON. */
function parseLeniently(
  text: string,
  start: number,
): { value: unknown; isStrict: boolean } | undefined {
  // A failed parse costs more than all else of a short line, and a server may print millions.
  if (!valueStart.test(text.charAt(start))) return undefined;
  try {
    return { value: JSON.parse(text), isStrict: true };
  } catch {
    const replaced = withoutNonFinite(text);
    if (replaced === undefined) return undefined;
    try {
      return { value: JSON.parse(replaced), isStrict: false };
    } catch {
      return undefined;
    }
  }
}

/** The first character that no client takes for white space: some strip more than JSON allows. */
const inked = /[^\s\0-\x20\x85]/;

/** The first character of any value of JSON, and of `NaN` and `Infinity`. */
const valueStart = /[{["\-0-9tfnNI]/;

function notJson(text: string, start: number, bytes: Uint8Array): SingleMessage {
  const isBracket = text[start] === "{" || text[start] === "[";
  if (!isBracket) return opaque("not-json");
  const offset = Buffer.byteLength(text.slice(0, start));
  return isFramed(skimBytes(bytes.subarray(offset))) ? opaqueFrame("not-json") : opaque("not-json");
}

function skimmedMessage(skim: Skim | undefined): SingleMessage {
  const message = toMessage(skim && skimmedFrame(skim), false);
  return message.kind === "opaque" && skim && isFramed(skim) ? opaqueFrame("not-rpc") : message;
}

/** True when a text that was not parsed has the member of each message, or is a list, which may hold messages. */
function isFramed(skim: Skim): boolean {
  return skim.shape === "array" || findMember(skim, "jsonrpc") !== undefined;
}

/** True for a line whose structure is checked before it is parsed: it is long or has many brackets. */
function isSuspect(bytes: Uint8Array): boolean {
  if (bytes.length <= 2 * nestingMax) return false;
  if (bytes.length > lineTrustedBytesMax) return true;
  return (
    occursMoreThan(nestingMax / 2, openBracket, bytes) ||
    occursMoreThan(nestingMax / 2, openBrace, bytes)
  );
}

function occursMoreThan(max: number, byte: number, bytes: Uint8Array): boolean {
  let count = 0;
  for (let at = bytes.indexOf(byte); at >= 0; at = bytes.indexOf(byte, at + 1)) {
    count += 1;
    if (count > max) return true;
  }
  return false;
}

function toBatch(values: readonly unknown[]): Message {
  // Raw ids beyond 2^53 are not recovered in a batch: batches ended with revision 2025-03-26.
  const items = values.slice(0, batchItemsMax).map((value) => toMessage(parsedFrame(value), false));
  const left = values.length - items.length;
  if (left === 0 && items.every((item) => item.kind === "opaque" && item.isFramed !== true)) {
    return opaque("not-rpc");
  }
  return { kind: "batch", items, left };
}

function toMessage(frame: Frame | undefined, isAcceptedEverywhere: boolean): SingleMessage {
  if (!frame) return opaque("not-rpc");
  const { id, params, truncated } = frame;
  const isAnswer = frame.hasResult || frame.hasError;
  if (frame.version !== "2.0" || frame.isIdInvalid) {
    // Programs also print JSON that is not a message; with an id and a result it may pass for an answer.
    return isAnswer && frame.hasId ? opaqueFrame("not-rpc") : opaque("not-rpc");
  }
  if (typeof frame.method === "string") {
    if (isAnswer) return opaqueFrame("not-rpc");
    const method = frame.method.slice(0, nameCharactersMax);
    return id
      ? { kind: "request", id, method, params, truncated }
      : { kind: "notification", method, params, truncated };
  }
  return isAnswer ? toAnswer(frame, isAcceptedEverywhere) : opaque("not-rpc");
}

function toAnswer(frame: Frame, isAcceptedEverywhere: boolean): SingleMessage {
  const { id, truncated, result, hasError } = frame;
  // Most answers are this, and need no copy.
  if (frame.hasResult && id && isAcceptedEverywhere)
    return { kind: "result", id, result, truncated };
  const doubt = isAcceptedEverywhere ? {} : { mayBeRejected: true as const };
  if (frame.hasResult && id) {
    const both = hasError ? { error: frame.error ?? {} } : {};
    return { kind: "result", id, result, ...both, truncated, ...doubt };
  }
  if (!hasError) return opaque("not-rpc");
  return { kind: "error", id, error: frame.error, truncated, ...doubt };
}

function opaque(reason: OpaqueReason): SingleMessage {
  return { kind: "opaque", reason };
}

function opaqueFrame(reason: OpaqueReason): SingleMessage {
  return { kind: "opaque", reason, isFramed: true };
}
