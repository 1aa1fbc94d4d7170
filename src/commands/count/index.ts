import { defineCommand, type Arguments, type OptionGroup } from "../command.ts";
import { documentFormats } from "#screens/renderers/formats.ts";
import { exactOptionSpecs, parseExactModel } from "../exact-option.ts";
import { makeOutputSpecs, parseOutput } from "../output/output-options.ts";
import { readerOptionGroup, parseTokenizer } from "../reader-options.ts";
import { parseCount, readText } from "../option-values.ts";
import type { CountOptions } from "./command.ts";

const { tokenizer, model } = readerOptionGroup.options;

const countOptionGroups: readonly OptionGroup[] = [
  {
    heading: "Counting",
    options: {
      ...(tokenizer && { tokenizer }),
      ...(model && { model: { ...model, description: "target model; selects the tokenizer" } }),
      ...exactOptionSpecs,
    },
  },
  {
    heading: "Output",
    options: {
      "max-total": {
        value: "N",
        description: "exit with 1 when the inputs together have more tokens than N",
        formerName: "limit",
      },
      ...makeOutputSpecs(documentFormats),
    },
  },
];

export function parseCountOptions({
  options,
  operands,
  child: wordsAfterDashes = [],
}: Arguments): CountOptions {
  const files = [...operands, ...wordsAfterDashes];
  return {
    tokenizer: parseTokenizer(options),
    model: readText(options, "model"),
    tokensMax: parseCount(options, "max-total", 0),
    ...parseOutput(options, documentFormats),
    exactModel: parseExactModel(options),
    files: files.length > 0 ? files : ["-"],
  };
}

export const countCommand = defineCommand({
  name: "count",
  summary: "Count the tokens of files or stdin",
  usage: "mcp-meter count [options] [FILE…]",
  operands: "files",
  groups: countOptionGroups,
  examples: [
    ["mcp-meter count answer.json", "print only the number"],
    [
      "git diff | mcp-meter count --max-total 8000",
      "exit with 1 when the diff has more than 8000 tokens",
    ],
    [
      "mcp-meter count --exact --model claude-opus-5 prompt.md",
      "let Anthropic count, with your key",
    ],
    ["mcp-meter count --model claude-opus-5 docs/*.md", "print a table with a total"],
  ],
  exits: [
    ["0", "the counts were printed"],
    ["1", "the inputs have more tokens than --max-total allows"],
    [
      "2",
      "invalid options or an unreadable file; with --exact, also a missing key or a refused request",
    ],
    ["3", "--exact got no usable answer"],
  ],
  parse: parseCountOptions,
  load: async () => (await import("./command.ts")).count,
});
