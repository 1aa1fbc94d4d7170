import { expect, test } from "bun:test";
import { parseCompletionOptions, shellIds } from "#commands/completion/options.ts";
import { thrownBy } from "../../support/folder.ts";

const parse = (operands: readonly string[], options = {}) =>
  parseCompletionOptions({ options, operands, child: undefined });

test.each([...shellIds])("parseCompletionOptions takes %s, and a file", (shell) => {
  expect(parse([shell])).toEqual({ shell, output: undefined });
  expect(parse([shell], { output: "-" })).toEqual({ shell, output: undefined });
  expect(parse([shell], { output: "a" })).toEqual({ shell, output: "a" });
});

test.each([
  [[], "missing shell; use one of bash, zsh, fish"],
  [["bsh"], 'unknown shell "bsh"; did you mean "bash"?'],
  [["nushell"], 'unknown shell "nushell"; use one of bash, zsh, fish'],
  [["toString"], 'unknown shell "toString"; use one of bash, zsh, fish'],
  [["bash", "zsh"], 'unexpected argument "zsh"'],
])("parseCompletionOptions refuses %j", (operands, sentence) => {
  expect(thrownBy(() => parse(operands))).toBe(sentence);
});
