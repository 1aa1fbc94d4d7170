export type ProtobufField = {
  readonly number: number;
  readonly varint?: bigint;
  readonly bytes?: Uint8Array;
};

export function protobufFields(bytes: Uint8Array): ProtobufField[] {
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

export function bytesOf(fields: readonly ProtobufField[], number: number): Uint8Array[] {
  return fields.flatMap((field) => (field.number === number && field.bytes ? [field.bytes] : []));
}

export function textOf(fields: readonly ProtobufField[], number: number): string {
  return new TextDecoder().decode(bytesOf(fields, number)[0] ?? new Uint8Array());
}

export function numberOf(fields: readonly ProtobufField[], number: number): number {
  return Number(fields.find((field) => field.number === number)?.varint ?? 0n);
}

export function timeMs(bytes: Uint8Array): number {
  return bytes.length === 8 ? Number(viewOf(bytes).getBigInt64(0, true) / 1000n) / 1000 : 0;
}

export function fixed64s(bytes: Uint8Array): number[] {
  const view = viewOf(bytes);
  return Array.from({ length: bytes.length / 8 }, (_, at) =>
    Number(view.getBigInt64(at * 8, true)),
  );
}

export function doubles(bytes: Uint8Array): number[] {
  const view = viewOf(bytes);
  return Array.from({ length: bytes.length / 8 }, (_, at) => view.getFloat64(at * 8, true));
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
