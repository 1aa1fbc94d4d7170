/** Values of `--log` that name no file. A list of its own, so that the start of a session loads no sink. */
const places = ["-", "off"] as const;

/** A place for records other than a file. */
export type RecordPlace = (typeof places)[number];

/** True when a value of `--log` names a file. */
export function namesFile(log: string): boolean {
  return !places.some((place) => place === log);
}
