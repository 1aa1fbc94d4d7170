import { expect, test } from "bun:test";
import { shortenDescriptions, shortenText } from "#lock/trim-tools.ts";

test.each([
  ["Short.", 20, "Short."],
  ["One sentence here. Another one.", 20, "One sentence here."],
  ["Is it v1.2? Then it goes on and on", 20, "Is it v1.2?"],
  ["E.g. this goes on without an end", 20, "E.g. this goes on…"],
  ["nospacesnospacesnospaces", 20, "nospacesnospacesnos…"],
  ["First line\nsecond line goes on", 20, "First line"],
  ["これは長い文です。次の文はもっと長いです。", 12, "これは長い文です。"],
  [`${"x".repeat(18)}😀😀`, 20, `${"x".repeat(18)}…`],
])("shortenText(%p, %d)", (text, max, short) => {
  expect(shortenText(text, max)).toBe(short);
  expect(short.length).toBeLessThanOrEqual(max);
});

test("shortenDescriptions reaches parameters at any depth, and no parameter of that name", () => {
  const long = "A first sentence. A second sentence.";
  const schema = {
    description: long,
    properties: {
      description: { description: long, enum: [long] },
      list: { items: { description: long } },
    },
    default: { description: long },
  };
  expect(shortenDescriptions(schema, 20)).toEqual({
    description: "A first sentence.",
    properties: {
      description: { description: "A first sentence.", enum: [long] },
      list: { items: { description: "A first sentence." } },
    },
    default: { description: long },
  });
});
