import { configBytesMax } from "../limits.ts";
import { readWholeFile } from "#kit/os/named-file.ts";
import { placesIn } from "#kit/text/source-tree.ts";
import { validated, type Validator } from "#kit/text/validation.ts";
import { parseJsonc } from "#kit/syntax/jsonc.ts";

export function readCheckedFile<Value>(
  file: string,
  validate: Validator<Value>,
): { readonly value: Value } | { readonly fault: string } {
  const content = readWholeFile(file, configBytesMax);
  if ("fault" in content) return content;
  const text = new TextDecoder().decode(content.bytes);
  const parsed = parseJsonc(text);
  if ("fault" in parsed) {
    return { fault: `line ${placesIn(text)(parsed.offset).line}: ${parsed.fault}` };
  }
  return validated(parsed.value, validate);
}
