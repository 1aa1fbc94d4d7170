export function pickPassageSize(seed: number, number: number): number {
  const chance = hash(seed * 1_000_003 + number);
  const isStreak = hash(seed + (number >>> 9)) % 7 === 0;
  if (isStreak && chance % 3 === 0) return 1 + (chance % 65_536);
  return chance % 211 === 0 ? 1 + (chance % 65_536) : 1 + (chance % 400);
}

export function fillPassage(bytes: Uint8Array, number: number, size: number): Uint8Array {
  const record = bytes.subarray(0, size);
  for (let at = 0; at < Math.min(4, size); at += 1) record[at] = (number >>> (at * 8)) & 255;
  record[size - 1] = (number * 31 + size) & 255;
  if (size > 6) record[size >>> 1] = (number * 17 + size) & 255;
  return record;
}

export function isFilledPassage(bytes: Uint8Array, number: number, size: number): boolean {
  if (bytes.length !== size) return false;
  const expected = fillPassage(new Uint8Array(size), number, size);
  const checked = [0, 1, 2, 3, size >>> 1, size - 1].filter(
    (at) => at < size && (size > 6 || at !== size >>> 1),
  );
  return checked.every((at) => bytes[at] === expected[at]);
}

function hash(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x45d9f3b);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
