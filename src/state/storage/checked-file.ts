import { configBytesMax } from "../limits.ts";
import { readWholeFile } from "#kit/os/open-file.ts";
import { makePositionFinder } from "#kit/syntax/syntax-tree.ts";
import { validateValue, type Validator } from "#kit/text/validation.ts";
import { parseJsonc } from "#kit/syntax/jsonc.ts";

export function readCheckedFile<Value>(
  file: string,
  check: Validator<Value>,
): { readonly value: Value } | { readonly fault: string } {
  const content = readWholeFile(file, configBytesMax);
  if ("fault" in content) return content;
  const text = new TextDecoder().decode(content.bytes);
  const parsed = parseJsonc(text);
  if ("fault" in parsed) {
    return { fault: `line ${makePositionFinder(text)(parsed.offset).line}: ${parsed.fault}` };
  }
  return validateValue(parsed.value, check);
}
