import { expect, test } from "bun:test";
import { openExact } from "#commands/open-exact.ts";
import { thrownBy } from "../support/folder.ts";
import { capturedIo } from "../support/io.ts";

const io = capturedIo({ ANTHROPIC_API_KEY: "sk-secret" });

test("openExact finds the maker of the model, and sends nothing", () => {
  const { maker, model } = openExact({ model: "claude-opus-5", url: "http://127.0.0.1:1" }, io);
  expect([maker.id, model, io.written.stderr]).toEqual(["anthropic", "claude-opus-5", ""]);
});

test("openExact refuses a model without a public counter, and a maker without a key", () => {
  expect(thrownBy(() => openExact({ model: "gpt-5", url: undefined }, io))).toBe(
    'Cannot count exactly for "gpt-5": only Anthropic and Google have a public counter, for models such as claude-opus-5 and gemini-3-pro',
  );
  expect(thrownBy(() => openExact({ model: "gemini-3-pro", url: undefined }, io))).toBe(
    "Cannot ask Google for exact counts: set GEMINI_API_KEY or GOOGLE_API_KEY",
  );
});
