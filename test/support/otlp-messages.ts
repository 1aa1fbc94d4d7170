export type ReceivedPoint = {
  readonly metric: string;
  readonly unit: string;
  readonly kind: "gauge" | "counter" | "histogram";
  readonly temporality: "delta" | "cumulative" | undefined;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly resource: Readonly<Record<string, string | number>>;
  readonly startMs: number;
  readonly endMs: number;
  readonly value: number;
  readonly count: number;
  readonly buckets: readonly number[];
  readonly bounds: readonly number[];
};

export type ReceivedSpan = {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string;
  /** 2 is SERVER. */
  readonly kind: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly resource: Readonly<Record<string, string | number>>;
  /** 2 is ERROR. */
  readonly status: number;
};

export function receivedPoints(body: Uint8Array): ReceivedPoint[] {
  return below(protobufFields(body), 1).flatMap((resourceMetrics) => {
    const resource = resourceIn(resourceMetrics);
    const metrics = below(resourceMetrics, 2).flatMap((scope) => below(scope, 2));
    return metrics.flatMap((metric) => pointsIn(metric, resource));
  });
}

function pointsIn(metric: readonly ProtobufField[], resource: ReceivedPoint["resource"]) {
  const kinds = [
    [5, "gauge"],
    [7, "counter"],
    [9, "histogram"],
  ] as const;
  return kinds.flatMap(([number, kind]) =>
    below(metric, number).flatMap((data) => {
      if (kind === "counter" && numberOf(data, 3) !== 1) throw new Error("not monotonic");
      const temporality = ([undefined, "delta", "cumulative"] as const)[numberOf(data, 2)];
      const shared = {
        metric: textOf(metric, 1),
        unit: textOf(metric, 3),
        kind,
        temporality,
        resource,
      };
      return below(data, 1).map((point) => ({ ...shared, ...pointIn(point, kind) }));
    }),
  );
}

function pointIn(point: readonly ProtobufField[], kind: ReceivedPoint["kind"]) {
  const bytes = (number: number): Uint8Array => bytesOf(point, number)[0] ?? new Uint8Array();
  const times = timesIn(point, 2, 3);
  if (kind === "histogram") {
    const [value = 0] = doubles(bytes(5));
    const [count = 0] = fixed64s(bytes(4));
    const [buckets, bounds] = [fixed64s(bytes(6)), doubles(bytes(7))];
    return { ...times, attributes: attributesIn(point, 9), value, count, buckets, bounds };
  }
  const [value = 0] = [...doubles(bytes(4)), ...fixed64s(bytes(6))];
  return { ...times, attributes: attributesIn(point, 7), value, count: 0, buckets: [], bounds: [] };
}

export function receivedSpans(body: Uint8Array): ReceivedSpan[] {
  return below(protobufFields(body), 1).flatMap((resourceSpans) => {
    const resource = resourceIn(resourceSpans);
    const spans = below(resourceSpans, 2).flatMap((scope) => below(scope, 2));
    return spans.map((span) => ({
      name: textOf(span, 5),
      traceId: hexOf(span, 1),
      spanId: hexOf(span, 2),
      parentId: hexOf(span, 4),
      kind: numberOf(span, 6),
      ...timesIn(span, 7, 8),
      attributes: attributesIn(span, 9),
      resource,
      status: below(span, 15).map((status) => numberOf(status, 3))[0] ?? 0,
    }));
  });
}

function below(fields: readonly ProtobufField[], number: number): ProtobufField[][] {
  return bytesOf(fields, number).map(protobufFields);
}

function resourceIn(fields: readonly ProtobufField[]): ReceivedPoint["resource"] {
  const [resource = []] = below(fields, 1);
  return attributesIn(resource, 1);
}

function attributesIn(
  fields: readonly ProtobufField[],
  number: number,
): Record<string, string | number> {
  return Object.fromEntries(
    below(fields, number).map((pair) => {
      const [value = []] = below(pair, 2);
      const isText = value.some((field) => field.number === 1);
      return [textOf(pair, 1), isText ? textOf(value, 1) : numberOf(value, 3)];
    }),
  );
}

function timesIn(fields: readonly ProtobufField[], start: number, end: number) {
  const ms = (number: number): number => timeMs(bytesOf(fields, number)[0] ?? new Uint8Array());
  return { startMs: ms(start), endMs: ms(end) };
}

function hexOf(fields: readonly ProtobufField[], number: number): string {
  return Buffer.from(bytesOf(fields, number)[0] ?? new Uint8Array()).toString("hex");
}

type ProtobufField = {
  readonly number: number;
  readonly varint?: bigint;
  readonly bytes?: Uint8Array;
};

function protobufFields(bytes: Uint8Array): ProtobufField[] {
  const fields: ProtobufField[] = [];
  for (let at = 0; at < bytes.length;) {
    const [tag, afterTag] = varintAt(bytes, at);
    const number = Number(tag >> 3n);
    const type = Number(tag & 7n);
    at = afterTag;
    if (type === 0) {
      const [varint, next] = varintAt(bytes, at);
      fields.push({ number, varint });
      at = next;
      continue;
    }
    const [length, start] = type === 2 ? varintAt(bytes, at) : [type === 1 ? 8n : 4n, at];
    if (![1, 2, 5].includes(type)) throw new Error(`wire type ${type} at ${at}`);
    at = start + Number(length);
    if (at > bytes.length) throw new Error(`a field of ${length} bytes ends beyond the message`);
    fields.push({ number, bytes: bytes.subarray(start, at) });
  }
  return fields;
}

function varintAt(bytes: Uint8Array, start: number): [value: bigint, next: number] {
  let value = 0n;
  for (let at = start, shift = 0n; at < bytes.length; at++, shift += 7n) {
    const byte = bytes[at] ?? 0;
    value |= BigInt(byte & 127) << shift;
    if (byte < 128) return [value, at + 1];
  }
  throw new Error("a number without an end");
}

function bytesOf(fields: readonly ProtobufField[], number: number): Uint8Array[] {
  return fields.flatMap((field) => (field.number === number && field.bytes ? [field.bytes] : []));
}

function textOf(fields: readonly ProtobufField[], number: number): string {
  return new TextDecoder().decode(bytesOf(fields, number)[0] ?? new Uint8Array());
}

function numberOf(fields: readonly ProtobufField[], number: number): number {
  return Number(fields.find((field) => field.number === number)?.varint ?? 0n);
}

function timeMs(bytes: Uint8Array): number {
  return bytes.length === 8 ? Number(viewOf(bytes).getBigInt64(0, true) / 1000n) / 1000 : 0;
}

function fixed64s(bytes: Uint8Array): number[] {
  const view = viewOf(bytes);
  return Array.from({ length: bytes.length / 8 }, (_, at) =>
    Number(view.getBigInt64(at * 8, true)),
  );
}

function doubles(bytes: Uint8Array): number[] {
  const view = viewOf(bytes);
  return Array.from({ length: bytes.length / 8 }, (_, at) => view.getFloat64(at * 8, true));
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
