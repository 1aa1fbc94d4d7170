import { keepElements } from "#wire/elements.ts";
import { otherSide } from "#wire/side.ts";
import type { MeterRecord } from "#records/record.ts";
import type { Judgement, LineEvent } from "./event.ts";

/** The consequences of a message on the wire. */
export type Effects = {
  /** False keeps the message from its destination. */
  readonly passes: boolean;
  /** Our lines for either side. */
  readonly toClient: readonly Uint8Array[];
  readonly toServer: readonly Uint8Array[];
};

const noLines: readonly Uint8Array[] = [];

/** The message passes and nothing is added. */
export const passed: Effects = { passes: true, toClient: noLines, toServer: noLines };

/** The message is kept back, and a line goes to the client in its place if there is one. */
export function keptBack(instead?: Uint8Array): Effects {
  return { passes: false, toClient: instead ? [instead] : noLines, toServer: noLines };
}

/** The effects of an event, and the records that follow from it. */
export function withRecords(
  { passes, toClient, toServer }: Effects,
  records: readonly MeterRecord[],
): Judgement {
  return { records, passes, toClient, toServer };
}

/** Several effects on one message: it passes when all let it pass. */
export function together(all: readonly Effects[]): Effects {
  return all.reduce(both, passed);
}

/** Two effects on one message, of which usually neither adds or keeps back anything. */
export function both(one: Effects, other: Effects): Effects {
  if (other === passed) return one;
  if (one === passed) return other;
  return {
    passes: one.passes && other.passes,
    toClient: [...one.toClient, ...other.toClient],
    toServer: [...one.toServer, ...other.toServer],
  };
}

/**
 * The effects on a line whose batch has these effects, element by element; the elements beyond those that
 * were parsed pass. A batch of which some elements pass continues as a line of these.
 */
export function onBatch(
  items: readonly Effects[],
  isLonger: boolean,
  { from, line }: LineEvent,
): Effects {
  const all = together(items);
  if (all.passes || !line.bytes) return all;
  if (!isLonger && !items.some(({ passes }) => passes)) return all;
  const rest = keepElements(line.bytes, (index) => items[index]?.passes ?? true);
  return otherSide(from) === "server"
    ? { ...all, toServer: [...all.toServer, rest] }
    : { ...all, toClient: [...all.toClient, rest] };
}
