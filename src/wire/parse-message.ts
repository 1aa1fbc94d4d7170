import {
  batchItemsMax,
  lineTrustedBytesMax,
  nameCharactersMax,
  nestingMax,
  structuresMax,
} from "#limits.ts";
import { openBrace, openBracket } from "./ascii.ts";
import { type Frame, parsedFrame, skimmedFrame } from "./frame.ts";
import type { Line } from "./line.ts";
import type { Message, OpaqueReason, SingleMessage } from "./message.ts";
import { skimBytes } from "./skimmer.ts";

const decoder = new TextDecoder();

/** Parses a line. Never throws: a line that is not a message is `opaque`. */
export function parseMessage(line: Line): Message {
  const { bytes } = line;
  if (!bytes) return toMessage(line.skim && skimmedFrame(line.skim));
  const skim = isSuspect(bytes) ? skimBytes(bytes) : undefined;
  if (skim && (skim.depth > nestingMax || skim.structures > structuresMax)) {
    return toMessage(skimmedFrame(skim));
  }
  const text = decoder.decode(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return opaque(text.trim() === "" ? "blank" : "not-json");
  }
  if (Array.isArray(value)) return toBatch(value);
  return toMessage(parsedFrame(value, () => skim ?? skimBytes(bytes)));
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
  const items = values.slice(0, batchItemsMax).map((value) => toMessage(parsedFrame(value)));
  if (items.every((item) => item.kind === "opaque")) return opaque("not-rpc");
  return { kind: "batch", items, left: values.length - items.length };
}

function toMessage(frame: Frame | undefined): SingleMessage {
  if (frame?.version !== "2.0" || frame.isIdInvalid) return opaque("not-rpc");
  const { id, params, truncated } = frame;
  if (typeof frame.method === "string") {
    const method = frame.method.slice(0, nameCharactersMax);
    return id
      ? { kind: "request", id, method, params, truncated }
      : { kind: "notification", method, params, truncated };
  }
  if (frame.hasResult && id) return { kind: "result", id, result: frame.result, truncated };
  if (frame.hasError) return { kind: "error", id, error: frame.error, truncated };
  return opaque("not-rpc");
}

function opaque(reason: OpaqueReason): SingleMessage {
  return { kind: "opaque", reason };
}
