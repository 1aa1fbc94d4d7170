import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { unitsIn } from "#tokenizer/code-units.ts";
import { anyText } from "./support/texts.ts";
import { utf8 } from "./support/utf8.ts";

test("unitsIn is the length of the text", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const { bytes, end } = utf8(text);
      expect(unitsIn(bytes, end)).toBe(text.length);
    }),
  );
});
