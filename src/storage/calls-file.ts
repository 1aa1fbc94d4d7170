import { sentences, UserError } from "#errors.ts";
import { callsBytesMax, nestingMax } from "#limits.ts";
import { readWholeFile } from "#os/named-file.ts";
import { exceedsBounds } from "#wire/json-bounds.ts";

/**
 * The parsed content of a calls file: YAML when its name ends in .yaml or .yml, otherwise JSON.
 * Throws UserError.
 */
export function readCallsFile(file: string): unknown {
  const value = parseCalls(file, readText(file));
  if (exceedsBounds(value, { levelsMax: nestingMax, sizeMax: callsBytesMax })) {
    const fault = "it is nested too deeply, or its aliases expand to too much";
    throw new UserError(sentences.callsMalformed(file, fault));
  }
  return value;
}

function parseCalls(file: string, text: string): unknown {
  const isYaml = /\.ya?ml$/i.test(file);
  try {
    return isYaml ? Bun.YAML.parse(text) : JSON.parse(text);
  } catch (error) {
    const [reason = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    const kind = isYaml ? "YAML" : "JSON";
    throw new UserError(sentences.callsMalformed(file, `it is not valid ${kind} (${reason})`));
  }
}

function readText(file: string): string {
  const content = readWholeFile(file, callsBytesMax);
  if ("fault" in content) throw new UserError(sentences.fileUnreadable(file, content.fault));
  return new TextDecoder().decode(content.bytes);
}
