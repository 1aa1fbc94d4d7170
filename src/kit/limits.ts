// Lines longer than this are only skimmed. A full-page screenshot fits in eight megabytes.
export const lineObservedBytesMax = 8 * 1024 * 1024;

export const quotedCharactersMax = 40;

// A logged line may contain several base64 images of ten megabytes each.
export const importLineBytesMax = 64 * 1024 * 1024;

export const nameCharactersMax = 256;

export function setBounded<Key, Value>(
  map: Map<Key, Value>,
  key: Key,
  value: Value,
  max: number,
): void {
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > max && oldest !== undefined) map.delete(oldest);
}
