import type { Random } from "./random.ts";

/** A way to write the id of a request, from a number that no other request has. */
type IdKind = (number: number, random: Random) => string;

/** The usual id, and every unusual one, by its name. */
const idKinds = {
  "text-number": (number) => `"${number}"`,
  text: (number) => `"call ${number}"`,
  decimal: (number) => `${number}.0`,
  fraction: (number) => `${number}.5`,
  negative: (number) => `-${number}`,
  "long-text": (number) => `"${"long".repeat(150)}${number}"`,
  huge: (number) => String(2 ** 53 + number * 4096),
  exponent: (number) => `1e${number + 30}`,
  escaped: (number) => `"\\u00e9${number}"`,
  // Most likely the same as an earlier one.
  repeated: (number, random) => String(random.between(1, number)),
} as const satisfies Record<string, IdKind>;

/** Name of an unusual kind of id. */
export type IdKindName = keyof typeof idKinds;

const names = Object.keys(idKinds) as readonly IdKindName[];

/** An unusual id, of any kind but those of `without`. */
export function unusualId(number: number, random: Random, without: ReadonlySet<string>): string {
  const allowed = names.filter((name) => !without.has(name));
  const kind: IdKind = idKinds[random.pick(allowed)];
  return kind(number, random);
}
