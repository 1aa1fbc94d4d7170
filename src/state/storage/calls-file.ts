import { sentences, UserError } from "#kit/errors.ts";
import { nestingMax } from "#kit/limits.ts";
import { callsBytesMax } from "../limits.ts";
import { readWholeFile } from "#kit/os/named-file.ts";
import {
  findDuplicate,
  offsetAt,
  placesIn,
  type SourceFault,
  type SourcePath,
} from "#kit/text/source-tree.ts";
import { exceedsBounds } from "#wire/json.ts";
import { parseJson } from "#kit/syntax/jsonc.ts";
import { parseYaml } from "#kit/syntax/yaml.ts";
import { storageSentences } from "./sentences.ts";

export type CallsFile = {
  readonly value: unknown;
  readonly lineOf: (path: SourcePath) => number;
  readonly mistake: (fault: string, path: SourcePath, part: "name" | "value") => UserError;
};

/** YAML when the name ends in .yaml or .yml, else JSON; UTF-8, a byte order mark is accepted. Throws UserError with line and column of a syntax mistake. */
export function readCallsFile(file: string): CallsFile {
  const text = readText(file);
  const placeOf = placesIn(text);
  const mistakeAt = ({ fault, offset }: SourceFault): UserError => {
    const { line, column } = placeOf(offset);
    const sentence = storageSentences.callsMistaken(file, line, column, fault);
    return new UserError(sentence, undefined, { file, line });
  };
  const isYaml = /\.ya?ml$/i.test(file);
  const source = isYaml ? parseYaml(text) : parseJson(text);
  if ("fault" in source) {
    const { fault, offset } = source;
    // The contents of a file say nothing certain about its format.
    const hint = isYaml || /\.json$/i.test(file) ? "" : "; the name of a YAML file ends in .yaml";
    throw mistakeAt({ fault: `${fault}${hint}`, offset });
  }
  const { value, tree } = source;
  if (exceedsBounds(value, { levelsMax: nestingMax, sizeMax: callsBytesMax })) {
    const fault = "it is nested too deeply, or its aliases expand to too much";
    throw mistakeAt({ fault, offset: 0 });
  }
  const duplicate = findDuplicate(tree);
  if (duplicate) throw mistakeAt(duplicate);
  return {
    value,
    lineOf: (path) => placeOf(offsetAt(tree, path, "name")).line,
    mistake: (fault, path, part) => mistakeAt({ fault, offset: offsetAt(tree, path, part) }),
  };
}

function readText(file: string): string {
  const content = readWholeFile(file, callsBytesMax);
  if ("fault" in content) throw unreadable(file, content.fault);
  const { bytes } = content;
  if (isWide(bytes)) throw unreadable(file, otherEncoding("UTF-16"));
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw unreadable(file, otherEncoding("not valid UTF-8"));
  }
}

function unreadable(file: string, fault: string): UserError {
  return new UserError(sentences.fileUnreadable(file, fault), undefined, { file, line: 1 });
}

function otherEncoding(found: string): string {
  return `it is ${found}; save it as UTF-8`;
}

/** UTF-16 or UTF-32, with or without a byte order mark: a calls file begins with an ASCII character. */
function isWide([first, second]: Uint8Array): boolean {
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return isMarked || first === 0 || second === 0;
}
