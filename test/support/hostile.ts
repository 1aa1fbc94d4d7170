import * as fc from "fast-check";

const units = [
  0, 7, 8, 9, 10, 13, 0x1b, 0x1f, 0x22, 0x5c, 0x7c, 0x7f, 0x80, 0x85, 0x9b, 0x9f, 0xad, 0x61c,
  0x115f, 0x180e, 0x200b, 0x200d, 0x200f, 0x2028, 0x2029, 0x202e, 0x2060, 0x2066, 0x3164, 0xd800,
  0xdbff, 0xdc00, 0xdfff, 0xe000, 0xfe0f, 0xfeff, 0xfff9, 0x61, 0xe9, 0x6f22,
];

const nasty = fc
  .array(fc.oneof(fc.constantFrom(...units), fc.nat({ max: 0xffff })), { maxLength: 40 })
  .map((list) => String.fromCharCode(...list));

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  nasty,
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom(
    "__proto__",
    "constructor",
    "\u001b]0;title\u0007",
    "\u001b[2J\u001b[H",
    "a|b\n|c|",
    "<script>alert(1)</script>",
    "](javascript:x)",
    "e\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301",
    "\u{e0001}\u{e0041}",
    "x".repeat(10_000),
  ),
);

export function findUnsafeText(text: string): string[] {
  const found: string[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (isUnsafe(code)) found.push(code.toString(16));
  }
  return found;
}

const unsafeRanges: readonly (readonly [first: number, last: number])[] = [
  // Control characters
  [0, 0x1f],
  [0x7f, 0x9f],
  // Marks, embeddings and isolates that change the direction of a text
  [0x61c, 0x61c],
  [0x200e, 0x200f],
  [0x202a, 0x202e],
  [0x2066, 0x2069],
  // Characters of zero width
  [0x200b, 0x200d],
  [0x2060, 0x2060],
  [0xfeff, 0xfeff],
  // Separators of lines and paragraphs
  [0x2028, 0x2029],
  // Lone surrogates
  [0xd800, 0xdfff],
  // Tags
  [0xe0000, 0xe0fff],
];

function isUnsafe(code: number): boolean {
  return unsafeRanges.some(([first, last]) => code >= first && code <= last);
}

export function withTexts<T>(value: T, text: string, keptKeys: ReadonlySet<string>): T {
  const replaced = (one: unknown, key: string): unknown => {
    if (typeof one === "string") return keptKeys.has(key) ? one : text;
    if (Array.isArray(one)) return one.map((item) => replaced(item, key));
    if (typeof one !== "object" || one === null) return one;
    return Object.fromEntries(
      Object.entries(one).map(([name, member]) => [name, replaced(member, name)]),
    );
  };
  return replaced(value, "") as T;
}
