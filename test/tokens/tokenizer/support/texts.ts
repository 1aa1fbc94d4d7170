import * as fc from "fast-check";

const CHARACTERS = {
  upper: ["A", "Z", "S", "É", "Ω", "Ж", "Ǆ", "Ⴀ", "𝐀", "𐐀"],
  title: ["ǅ", "ǈ", "ᾈ"],
  lower: ["a", "s", "t", "z", "ß", "é", "ω", "ж", "ſ", "K", "ﬆ", "𝐚", "ʂ"],
  modifier: ["ʰ", "ˇ", "ー", "ๆ", "々", "ᵃ"],
  other: ["中", "語", "あ", "한", "ا", "ب", "ש", "ก", "अ", "ª", "ƻ", "𠀀", "𗀀"],
  mark: [
    "\u0301",
    "\u0308",
    "\u200d\ufe0f",
    "\ufe0f",
    "\u20e3",
    "ั",
    "्",
    "ा",
    "\u{e0100}",
    "\u{1e8d0}",
  ],
  number: ["0", "1", "7", "42", "123", "²", "½", "Ⅷ", "٣", "०", "𝟘", "㊿"],
  space: [
    " ",
    "  ",
    "\t",
    "\u000b",
    "\f",
    "\u00a0",
    "\u0085",
    "\u2028",
    "\u2029",
    "\u3000",
    "\u1680",
    "\u200a",
  ],
  newline: ["\n", "\r", "\r\n", "\n\n", "\r\n\r\n", " \n", "\n "],
  symbol: [
    "!",
    "/",
    "//",
    "'",
    '"',
    "_",
    "-",
    "=",
    "{",
    "}",
    "\\",
    "<|",
    "|>",
    "…",
    "€",
    "←",
    "\u200b",
    "\ufeff",
  ],
  emoji: ["😀", "👩‍👩‍👧‍👦", "🏳️‍🌈", "👍🏽", "🇩🇪", "☺️", "1️⃣", "🫨", "🩷"],
  contraction: [
    "'s",
    "'S",
    "'t",
    "'T",
    "'re",
    "'RE",
    "'rE",
    "'ve",
    "'VE",
    "'m",
    "'M",
    "'ll",
    "'LL",
    "'lL",
    "'d",
    "'D",
    "'ſ",
    "'k",
    "'ſe",
    "'r",
    "'v",
    "'l",
  ],
  control: [
    "\u0000",
    "\u0001",
    "\u0007",
    "\u001b",
    "\u007f",
    "\u0080",
    "\u00ad",
    "\u202e",
    "\ufffd",
    "\uffff",
    "\u{10ffff}",
  ],
  surrogate: ["\ud800", "\udc00", "\udfff", "\ud83d"],
  special: ["<|endoftext|>", "<|endofprompt|>", "<|fim_prefix|>"],
  new: [
    "\u088f",
    "\ua7ce",
    "\u{16ea0}",
    "\u{10940}",
    "\u0295",
    "\u{11de0}",
    "\u1acf",
    "\u{1c80}",
    "\u{105c0}",
  ],
  word: [
    "hello",
    "World",
    "camelCase",
    "HTTPServer",
    "tool_name",
    "don't",
    "Straße",
    "привет",
    "안녕하세요",
    "مرحبا",
    "שלום",
    "こんにちは",
  ],
} as const;

const names = Object.keys(CHARACTERS) as (keyof typeof CHARACTERS)[];

export const mixedText = fc
  .array(fc.oneof(...names.map((name) => fc.constantFrom(...CHARACTERS[name]))), { maxLength: 24 })
  .map((parts) => parts.join(""));

export const anyText = fc.string({ unit: "binary", maxLength: 24 });

export const anyUnits = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 24 })
  .map((units) => String.fromCharCode(...units));

export const runText = fc
  .array(
    fc.tuple(
      fc.oneof(...names.map((name) => fc.constantFrom(...CHARACTERS[name]))),
      fc.integer({ min: 1, max: 40 }),
    ),
    { maxLength: 5 },
  )
  .map((runs) => runs.map(([unit, times]) => unit.repeat(times)).join(""));

export const raggedText = fc
  .tuple(
    fc.constantFrom([" ", "\n"], ["=", "-"], ["a", "b"], ["\t", "\r\n"], ["가", "나"], ["-", "\n"]),
    fc.array(fc.nat({ max: 70 }), { minLength: 5, maxLength: 40 }),
  )
  .map(([[character = "", last = ""], lengths]) =>
    lengths.map((length) => character.repeat(length) + last).join(""),
  );

export const wordText = fc
  .tuple(fc.constantFrom("ab", "aeinrst", "etaoinshrdlu", "aAbB", "=-", "가나다", "😀😁"), fc.nat())
  .chain(([alphabet]) =>
    fc
      .array(fc.constantFrom(...alphabet), { maxLength: 300, size: "max" })
      .map((letters) => letters.join("")),
  );
