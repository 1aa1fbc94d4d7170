import type { TrimRules } from "#lock/trim-list.ts";
import type { OptionGroup, RawOptions } from "../command.ts";
import { parseCount, readFlag, readList } from "../values.ts";

// Shorter descriptions would say nothing.
export const descriptionCharactersMin = 20;

export const trimOptionGroup: OptionGroup = {
  heading: "Tools shown to the client",
  options: {
    hide: {
      value: "PATTERN",
      isRepeatable: true,
      describe:
        "leave tools out of every list, and answer calls of them as unknown: a name, or a pattern such as 'admin_*'",
    },
    only: {
      value: "PATTERN",
      isRepeatable: true,
      describe: "hide all tools but these",
    },
    slim: {
      describe:
        "leave out of definitions what no model needs: $schema, titles that repeat a name, unused $defs",
    },
    "max-description": {
      value: "N",
      describe: "shorten each description to at most N characters, at the end of a sentence",
    },
  },
  rare: ["only", "slim", "max-description"],
};

export function parseTrimRules(raw: RawOptions): TrimRules {
  return {
    hide: readPatterns(raw, "hide"),
    only: readPatterns(raw, "only"),
    isSlim: readFlag(raw, "slim"),
    descriptionMax: parseCount(raw, "max-description", descriptionCharactersMin),
  };
}

// A variable holds several patterns, as that of budgets does.
function readPatterns(raw: RawOptions, name: string): readonly string[] {
  return readList(raw, name).flatMap((text) => text.split(/\s+/).filter((part) => part !== ""));
}
