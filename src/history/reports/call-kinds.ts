import type { CountedCall } from "#records/record.ts";
import type { TimeZone } from "./calendar.ts";

export const listMethod = "tools/list";

/** Only a report by hour has `hour`, and only a report by confidence has `confidence`. */
export type CallDetail = Pick<CountedCall, "confidence"> & {
  /** Local time, 0 to 23. */
  readonly hour?: number;
};

export type CallKind = Pick<CountedCall, "server" | "method" | "tool"> & {
  readonly detail: CallDetail;
  readonly model: string | undefined;
  readonly number: number;
  // Calls of one session are repeats if both their group and their arguments are equal.
  readonly group: number;
};

export class CallKinds {
  readonly #kinds = new Map<string, CallKind>();
  readonly #groups = new Map<string, number>();

  findKind({ server, method, tool, model }: CountedCall, detail: CallDetail): CallKind {
    const names = [server, method, tool, model];
    const key = JSON.stringify(detail === noDetail ? names : [...names, detail]);
    const known = this.#kinds.get(key);
    if (known) return known;
    const group = this.#findGroup(JSON.stringify([server, tool]));
    const kind = { server, method, tool, model, detail, number: this.#kinds.size, group };
    this.#kinds.set(key, kind);
    return kind;
  }

  #findGroup(key: string): number {
    const group = this.#groups.get(key) ?? this.#groups.size;
    this.#groups.set(key, group);
    return group;
  }
}

/** Does not compare the tool: the caller has looked up `kind` by the name of the tool. */
export function matchesKind(
  kind: CallKind,
  call: CountedCall,
  { hour, confidence }: CallDetail,
): boolean {
  return (
    kind.server === call.server &&
    kind.method === call.method &&
    kind.model === call.model &&
    kind.detail.hour === hour &&
    kind.detail.confidence === confidence
  );
}

const noDetail: CallDetail = {};

export function selectDetail(
  by: readonly string[] | undefined,
  ms: number,
  zone: TimeZone,
  confidence: CallDetail["confidence"],
): CallDetail {
  if (!by || (!by.includes("hour") && !by.includes("confidence"))) return noDetail;
  return {
    ...(by.includes("hour") ? { hour: zone.findHour(ms) } : {}),
    ...(by.includes("confidence") && confidence !== undefined ? { confidence } : {}),
  };
}
