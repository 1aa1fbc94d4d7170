/** Apart, so that the start of a session loads no sink. */
const places = ["-", "off"] as const;

export type RecordPlace = (typeof places)[number];

export function namesFile(log: string): boolean {
  return !places.some((place) => place === log);
}
