import { sentences, UserError } from "#errors.ts";
import { configBytesMax } from "#limits.ts";
import { readWholeFile } from "#os/named-file.ts";
import { placesIn } from "#text/source-tree.ts";
import { validated } from "#text/validation.ts";
import { validate } from "../../dist/validators/config.js";
import { parseJsonc } from "./jsonc.ts";

type RawOption = string | boolean | readonly string[];

/** A config file by config.schema.json: options of `run` by their long names, with `_` for `-`. */
export type ConfigFile = {
  readonly [name: string]: string | number | boolean | readonly unknown[];
};

/** Options of a config file as if they had been written as flags. Throws UserError. */
export function readConfigFile(file: string): { readonly [name: string]: RawOption } {
  const read = validated(parseText(file, readText(file)), validate);
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

function parseText(file: string, text: string): unknown {
  const read = parseJsonc(text);
  if (!("fault" in read)) return read.value;
  const { line } = placesIn(text)(read.offset);
  throw new UserError(sentences.configMalformed(file, `line ${line}: ${read.fault}`));
}
