import type { TrimRules } from "#lock/trim-list.ts";
import type { OptionSpecs, RawOptions } from "../command.ts";
import { parseCount, readFlag, readList } from "../values.ts";

export const trimOptionSpecs: OptionSpecs = {
  hide: {
    value: "NAME",
    isRepeatable: true,
    describe: "hide these tools from the client",
  },
  only: { value: "NAME", isRepeatable: true, describe: "hide all other tools" },
  slim: {
    describe:
      "leave out of definitions what no model needs: $schema, titles that repeat a name, unused $defs",
  },
  "max-description": {
    value: "N",
    describe: "shorten descriptions to at most N characters, at the end of a sentence",
  },
};

export const rareTrimOptions = ["only", "slim", "max-description"];

export function parseTrimRules(raw: RawOptions): TrimRules {
  return {
    hide: readPatterns(raw, "hide"),
    only: readPatterns(raw, "only"),
    isSlim: readFlag(raw, "slim"),
    descriptionMax: parseCount(raw, "max-description", 1),
  };
}

// A variable holds several patterns, as that of budgets does.
function readPatterns(raw: RawOptions, name: string): readonly string[] {
  return readList(raw, name).flatMap((text) => text.split(/\s+/).filter((part) => part !== ""));
}
