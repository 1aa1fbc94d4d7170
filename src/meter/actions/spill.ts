import type { Action, Excess, ExcessOutcome } from "../budgets/decision.ts";
import { countLines, formatKilobytes } from "#tokens/cost/client-profiles/common.ts";
import { pluralize } from "#kit/text/numbers.ts";
import { makeSafeName } from "#kit/text/unsafe-text.ts";
import { fitResult, type Marker, splitAnswer } from "./fit-result.ts";
import { actionRules } from "./action-rules.ts";

// Linux allows 4,096, but the model pays for every character of the path.
const spillPathCharactersMax = 1_024;

const typicalPath = "/".padEnd(160, "long-path/");

export const spill: Action = {
  id: "spill",
  ...actionRules.spill,
  handleExcess(excess: Excess): ExcessOutcome {
    if (excess.result === undefined) return { kind: "refuse" };
    const file = makeAnswerFile(excess);
    // This check precedes the write: if the file's path does not fit in the answer, the model cannot find the file.
    if (fitResult(excess, makeMarker(excess, file, typicalPath)) === undefined) {
      return { kind: "refuse" };
    }
    const path = excess.saveAnswer({ ...file, folder: excess.reader.profile.spillFolder });
    if (path === undefined) return { kind: "refuse" };
    const result = fitResult(excess, makeMarker(excess, file, path));
    return result === undefined ? { kind: "refuse" } : { kind: "replace", result };
  },
};

function makeMarker({ spec }: Excess, { text }: AnswerFile, rawPath: string): Marker {
  const path = makeSafeName(rawPath, spillPathCharactersMax);
  const size = formatKilobytes(Buffer.byteLength(text)).replace("KB", " KB");
  const lines = pluralize(countLines(text), "line");
  return (shortening) =>
    `[mcp-meter: ${shortening} to fit the budget ${spec}; the whole answer is in ${path} (${size}, ${lines}): search that file or read it in parts]`;
}

type AnswerFile = { readonly text: string; readonly extension: "txt" | "json" };

/** The texts of blocks stay unchanged; `structuredContent` and blocks without text become indented JSON. */
export function makeAnswerFile(excess: Excess): AnswerFile {
  const { texts, blocksWithoutText } = splitAnswer(excess);
  const parts = [
    ...texts.map(({ text, json }) => (json === undefined ? text : indentJson(json))),
    ...blocksWithoutText.map(({ raw }) => indentJson(raw)),
  ];
  const [first] = texts;
  const isJson = parts.length === 1 && (!first || first.json !== undefined);
  return { text: parts.join("\n"), extension: isJson ? "json" : "txt" };
}

function indentJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
