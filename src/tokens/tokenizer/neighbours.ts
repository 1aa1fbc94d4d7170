// Bits of the bytes next to a token in longer tokens. A packed vocabulary holds them (scripts/vocabulary-pack.ts), so
// that most pairs which do not form a token are rejected without a lookup.

export function followerBit(byte: number): number {
  return 1 << (byte & 15);
}

export function leaderBit(byte: number): number {
  return 1 << (byte | 16);
}

export function bordering(bytes: Uint8Array, border: number): number {
  return ((bytes[border - 1] as number) << 8) | (bytes[border] as number);
}

/** False when two tokens certainly do not form one. */
export function mayJoin(left: number, right: number, border: number): boolean {
  return ((left >>> (border & 15)) & (right >>> ((border >>> 8) | 16)) & 1) !== 0;
}
