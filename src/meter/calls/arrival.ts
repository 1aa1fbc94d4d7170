import { newline } from "#kit/text/ascii.ts";
import { arrayElements, type ElementSpan } from "#wire/elements.ts";
import { type Side, errorLine, notificationLine, resultLine } from "#wire/message.ts";
import type { Line } from "#wire/line.ts";
import { findMember, skimmedText } from "#wire/skim.ts";
import { skimBytes } from "#wire/skimmer.ts";
import type { JsonObject } from "#wire/json.ts";

export type Place = { readonly line: Line; readonly item: number | undefined };

export type HttpExchange = {
  readonly number: number;
  /** True where ids have a meaning inside this exchange only: nothing binds it to another one. */
  readonly isStateless: boolean;
};

export type Origin = {
  readonly from: Side;
  /** Its bytes; in a batch, an equal share of the line's. */
  readonly size: number;
  readonly atMs: number;
  readonly exchange?: HttpExchange | undefined;
};

export type Arrival = Place &
  Origin & {
    readonly hasPassed: boolean;
  };

const decoder = new TextDecoder();

/** The id of the message, byte for byte as its sender wrote it; `null` when it has none. */
export function rawIdAt({ line, item }: Place): string {
  const bytes = line.bytes && messageBytes(line.bytes, item);
  const skim = bytes ? skimBytes(bytes) : line.skim;
  const id = skim && findMember(skim, "id");
  if (!id || !bytes) return id?.text ?? "null";
  return decoder.decode(bytes.subarray(id.start, id.end)).trim();
}

/** The message as a line of its own, in memory of its own; undefined when its bytes were not kept. */
export function lineAt({ line, item }: Place): Uint8Array | undefined {
  if (!line.bytes) return undefined;
  const bytes = messageBytes(line.bytes, item);
  const isEnded = bytes.at(-1) === newline;
  const whole = new Uint8Array(bytes.length + (isEnded ? 0 : 1));
  whole.set(bytes);
  if (!isEnded) whole[bytes.length] = newline;
  return whole;
}

export function nameAt({ line, item }: Place): string | undefined {
  const skim = line.bytes ? skimBytes(messageBytes(line.bytes, item)) : line.skim;
  return skim && skimmedText(skim, "name");
}

/** False for a line without that method, however its letters are escaped; true where its bytes were not kept. */
export function mayBe(method: string, { line: { bytes } }: Place): boolean {
  const buffer = bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const ways = [method, method.replaceAll("/", "\\/"), "\\u"];
  return !buffer || ways.some((way) => buffer.includes(way));
}

/** Found once for a batch: it is asked about each of thousands of messages. */
const elements = new WeakMap<Uint8Array, readonly ElementSpan[]>();

function messageBytes(bytes: Uint8Array, item: number | undefined): Uint8Array {
  if (item === undefined) return bytes;
  const known = elements.get(bytes) ?? arrayElements(bytes);
  elements.set(bytes, known);
  const [start, end] = known[item] ?? [0, 0];
  return bytes.subarray(start, end);
}

export type Carrier = {
  result(rawId: string, result: unknown): Uint8Array;
  error(rawId: string, error: unknown): Uint8Array;
};

export const asItIs: Carrier = { result: resultLine, error: errorLine };

export function inState(state: JsonObject): Carrier {
  return {
    result: (rawId, result) => resultLine(rawId, completed(state, result)),
    error: (rawId, error) => errorLine(rawId, error),
  };
}

export function inNotification(method: string, state: JsonObject): Carrier {
  return {
    result: (_, result) => notificationLine(method, completed(state, result)),
    error: (_, error) => notificationLine(method, failed(state, error)),
  };
}

function completed(state: JsonObject, result: unknown): unknown {
  return { ...state, status: "completed", error: undefined, result };
}

function failed(state: JsonObject, error: unknown): unknown {
  return { ...state, status: "failed", result: undefined, error };
}
