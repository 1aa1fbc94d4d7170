import { isObject } from "#wire/json.ts";
import type { LogEvent } from "./log-event.ts";

// Nearly all events are of these kinds. They are kept by column: a third of the bytes of objects, and several times as
// fast to write and to read.
const columnKinds = ["request", "tool_use", "tool_result"] as const;

type Column = {
  readonly member: string;
  // A member of the object `member`.
  readonly inner?: string;
  // Most events repeat the value of an earlier one: the column has its index in `values`.
  readonly isShared?: true;
  // Left out when null.
  readonly isOptional?: true;
};

const usageColumns: readonly Column[] = [
  "uncached",
  "cacheRead",
  "cacheWrite5m",
  "cacheWrite1h",
  "output",
  "reasoning",
].map((inner) => ({ member: "usage", inner }));

const loggedColumns: readonly Column[] = [
  { member: "at" },
  { member: "conversation", isShared: true },
];

const plans: { readonly [kind in (typeof columnKinds)[number]]: readonly Column[] } = {
  request: [
    ...loggedColumns,
    { member: "keys", inner: "message" },
    { member: "keys", inner: "request" },
    { member: "keys", inner: "line" },
    { member: "keys", inner: "copy", isOptional: true },
    { member: "isSideChain", isShared: true },
    { member: "model", isShared: true },
    ...usageColumns,
    { member: "merge", isShared: true },
    { member: "nativeCost", isOptional: true },
  ],
  tool_use: [
    ...loggedColumns,
    { member: "id" },
    { member: "name", isShared: true },
    { member: "method", isShared: true },
    { member: "argumentBytes" },
    { member: "argumentTokens" },
    { member: "argumentsHash" },
    { member: "model", isShared: true },
    { member: "isSideChain", isShared: true },
    { member: "message" },
  ],
  tool_result: [
    ...loggedColumns,
    { member: "id" },
    { member: "outcome", isShared: true },
    { member: "visible", isShared: true },
    { member: "bytes" },
    { member: "tokens" },
    { member: "images" },
    { member: "isSideChain", isShared: true, isOptional: true },
    { member: "durationMs" },
  ],
};

type PackedEvents = {
  // Of each event its index in `columnKinds`, or -1 for one of `others`.
  readonly kinds: readonly number[];
  readonly columns: readonly (readonly (readonly unknown[])[])[];
  readonly others: readonly LogEvent[];
  readonly values: readonly unknown[];
};

export function packEvents(events: readonly LogEvent[]): string {
  const kinds: number[] = [];
  const others: LogEvent[] = [];
  const values = new SharedValues();
  const columns = columnKinds.map((kind) => plans[kind].map((): unknown[] => []));
  for (const event of events) {
    const kind = columnKinds.findIndex((name) => name === event.kind);
    kinds.push(kind);
    if (kind < 0) others.push(event);
    else addRow(event, plans[columnKinds[kind] ?? "request"], columns[kind] ?? [], values);
  }
  const packed: PackedEvents = { kinds, columns, others, values: values.list };
  return JSON.stringify(packed);
}

function addRow(
  event: LogEvent,
  plan: readonly Column[],
  columns: readonly unknown[][],
  values: SharedValues,
): void {
  for (let index = 0; index < plan.length; index += 1) {
    const { member, inner, isShared } = plan[index] ?? { member: "" };
    const outer: unknown = Reflect.get(event, member);
    const value: unknown = inner !== undefined && isObject(outer) ? outer[inner] : outer;
    columns[index]?.push(isShared ? values.add(value) : value);
  }
}

class SharedValues {
  readonly list: unknown[] = [];
  readonly #plain = new Map<unknown, number>();
  readonly #objects = new Map<unknown, number>();

  add(value: unknown): number {
    const indices = isObject(value) ? this.#objects : this.#plain;
    const key = isObject(value) ? JSON.stringify(value) : value;
    const known = indices.get(key);
    if (known !== undefined) return known;
    indices.set(key, this.list.length);
    return this.list.push(value) - 1;
  }
}

/** Reads only what `packEvents` of this build wrote. */
export function unpackEvents(text: string): readonly LogEvent[] {
  const packed: PackedEvents = JSON.parse(text);
  const rowCounts = columnKinds.map(() => 0);
  let othersRead = 0;
  const readEvent = (kind: number): unknown => {
    if (kind < 0) return packed.others[othersRead++];
    const row = rowCounts[kind] ?? 0;
    rowCounts[kind] = row + 1;
    return makeEvent(packed, kind, row);
  };
  return packed.kinds.map(readEvent).filter(isEvent);
}

type Row = { [member: string]: unknown };

function makeEvent({ columns, values }: PackedEvents, kind: number, row: number): Row {
  const name = columnKinds[kind] ?? "request";
  const plan = plans[name];
  const event: Row = { kind: name };
  let inside: Row = {};
  for (let index = 0; index < plan.length; index += 1) {
    const { member, inner, isShared, isOptional } = plan[index] ?? { member: "" };
    const stored = columns[kind]?.[index]?.[row];
    const value = isShared ? values[Number(stored)] : stored;
    if (isOptional && value === null) continue;
    if (inner === undefined) {
      event[member] = value;
      continue;
    }
    if (!(member in event)) event[member] = inside = {};
    inside[inner] = value;
  }
  return event;
}

function isEvent(value: unknown): value is LogEvent {
  return isObject(value);
}
