import { isContinuation } from "./utf8.ts";

export function unitsIn(bytes: Uint8Array, end: number): number {
  let units = 0;
  for (let at = 0; at < end; at++) {
    const byte = bytes[at] as number;
    if (!isContinuation(byte)) units += byte >= 0xf0 ? 2 : 1;
  }
  return units;
}

export function isHighSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800;
}
