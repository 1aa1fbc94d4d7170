import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import { sentences, UserError } from "#errors.ts";
import { configBytesMax } from "#limits.ts";
import { readWholeFile } from "#os/named-file.ts";
import { validated } from "#text/validation.ts";
import { validate } from "../../dist/validators/config.js";

type RawOption = string | boolean | readonly string[];

/** A config file by config.schema.json: options of `run` by their long names, with `_` for `-`. */
export type ConfigFile = {
  readonly [name: string]: string | number | boolean | readonly unknown[];
};

/** Options of a config file as if they had been written as flags. Throws UserError. */
export function readConfigFile(file: string): { readonly [name: string]: RawOption } {
  const read = validated(parseJsonc(file, readText(file)), validate);
  if ("fault" in read) throw new UserError(sentences.configMalformed(file, read.fault));
  const { $schema: _schema, ...options } = read.value;
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [name.replaceAll("_", "-"), asOption(value)]),
  );
}

/** Numbers as a flag takes them, `1,2,3`; a list of objects stays JSON. */
function asOption(value: string | number | boolean | readonly unknown[]): RawOption {
  if (typeof value === "boolean") return value;
  if (!Array.isArray(value)) return String(value);
  return typeof value[0] === "number" ? value.join(",") : JSON.stringify(value);
}

function readText(file: string): string {
  const content = readWholeFile(file, configBytesMax);
  if ("fault" in content) throw new UserError(sentences.configMalformed(file, content.fault));
  return new TextDecoder().decode(content.bytes);
}

function parseJsonc(file: string, source: string): unknown {
  const errors: ParseError[] = [];
  const value = parseDeep(file, source, errors);
  const [first] = errors;
  if (!first) return value;
  const line = source.slice(0, first.offset).split("\n").length;
  const reason = syntaxFaults[printParseErrorCode(first.error)];
  const fault = `line ${line} is not valid JSON${reason === undefined ? "" : `: ${reason}`}`;
  throw new UserError(sentences.configMalformed(file, fault));
}

/** Faults of the parser in words, by its names for them. */
const syntaxFaults: { readonly [fault: string]: string } = {
  InvalidSymbol: "a word is not true, false or null",
  InvalidNumberFormat: "a number is malformed",
  PropertyNameExpected: "a property name is missing",
  ValueExpected: "a value is missing",
  ColonExpected: "a colon is missing",
  CommaExpected: "a comma is missing",
  CloseBraceExpected: 'a closing "}" is missing',
  CloseBracketExpected: 'a closing "]" is missing',
  EndOfFileExpected: "text follows the end",
  UnexpectedEndOfComment: "a comment is not closed",
  UnexpectedEndOfString: "a text is not closed",
  UnexpectedEndOfNumber: "a number is incomplete",
  InvalidUnicode: "an escape of a character is malformed",
  InvalidEscapeCharacter: "an escape of a character is malformed",
  InvalidCharacter: "a control character must be escaped",
};

/** The parser recurses, so a file of nothing but brackets exhausts the stack. */
function parseDeep(file: string, source: string, errors: ParseError[]): unknown {
  try {
    return parse(source, errors, { allowTrailingComma: true });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UserError(sentences.configMalformed(file, "it is nested too deeply"));
  }
}
