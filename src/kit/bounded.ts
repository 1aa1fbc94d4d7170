/** Sets the entry. If the map then has more than `max` entries, drops the oldest one. */
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
