import { expect, test } from "bun:test";
import { parseOtlp, otlpOptionSpecs } from "#commands/run/options.ts";
import { readWords } from "#commands/parse-command-line.ts";
import { thrownBy } from "../../support/folder.ts";

const url = "https://host/base";

test.each([
  [[], undefined],
  [["--otlp"], { url: undefined, sendsSpans: false }],
  [["--otlp", url], { url, sendsSpans: false }],
  [[`--otlp=${url}`, "--otlp-traces"], { url, sendsSpans: true }],
  [["--otlp=yes", "--otlp-traces"], { url: undefined, sendsSpans: true }],
  [["--otlp=0"], undefined],
  [["--otlp", "off"], undefined],
])("%j", (words, options) => {
  expect(parseOtlp(readWords(words, otlpOptionSpecs, "run").flags)).toEqual(options as never);
});

test("a config may say true, and false against a variable", () => {
  expect(parseOtlp({ otlp: true })).toEqual({ url: undefined, sendsSpans: false });
  expect(parseOtlp({ otlp: false })).toBe(undefined);
});

test("the sentence about a mistake never quotes the address", () => {
  const secret = "ftp://me:secret@host";
  const thrown = thrownBy(() => parseOtlp({ otlp: secret }));
  expect(thrown).toContain("--otlp must be an http or https URL");
  expect(thrown).not.toContain("secret");
  expect(thrownBy(() => parseOtlp({ "otlp-traces": true }))).toContain("requires --otlp");
});
