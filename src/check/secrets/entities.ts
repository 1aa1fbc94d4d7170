import { entityLevelsMax } from "#limits/definitions.ts";

/** One way to read a part of a text: `length` characters of it stand for `units`. */
export type Decoding = { readonly units: string; readonly length: number };

/** The named entities that libraries write; others are left to those with numbers. */
const named: { readonly [name: string]: string } = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
};

const entity = /#(\d{1,8});|#[xX]([0-9A-Fa-f]{1,7});|([a-z]{2,4});/y;

const amp = "amp;";

/**
 * The entities of HTML and XML that continue an ampersand which ends at `at`, escaped up to `entityLevelsMax` times, as `&amp;lt;`
 * is. Their lengths are without the ampersand.
 */
export function entitiesAt(text: string, at: number): readonly Decoding[] {
  const found: Decoding[] = [];
  for (let level = 0; level < entityLevelsMax; level += 1) {
    const start = at + level * amp.length;
    const one = entityAt(text, start);
    if (one) found.push({ units: one.units, length: start - at + one.length });
    if (!text.startsWith(amp, start)) break;
  }
  return found;
}

function entityAt(text: string, at: number): Decoding | undefined {
  entity.lastIndex = at;
  const [whole, decimal, hexadecimal, name = ""] = entity.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const { length } = whole;
  const digits = decimal ?? hexadecimal;
  if (digits === undefined) {
    const units = Object.hasOwn(named, name) ? named[name] : undefined;
    return units === undefined ? undefined : { units, length };
  }
  const point = Number.parseInt(digits, decimal === undefined ? 16 : 10);
  return point > 0x10_ffff ? undefined : { units: String.fromCodePoint(point), length };
}
