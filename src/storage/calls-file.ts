import { readFileSync, statSync } from "node:fs";
import { sentences, UserError } from "#errors.ts";
import { callsBytesMax } from "#limits.ts";
import { codeOf } from "#os/system-error.ts";

/** A calls file parsed: YAML by the file's name, else JSON. Throws UserError. */
export function readCallsFile(file: string): unknown {
  const text = textOf(file);
  const isYaml = /\.ya?ml$/i.test(file);
  try {
    return isYaml ? Bun.YAML.parse(text) : JSON.parse(text);
  } catch (error) {
    const [reason = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    const kind = isYaml ? "YAML" : "JSON";
    throw new UserError(sentences.callsMalformed(file, `it is no ${kind} (${reason})`));
  }
}

function textOf(file: string): string {
  try {
    const { size } = statSync(file);
    if (size > callsBytesMax) {
      throw new UserError(sentences.callsMalformed(file, `it has ${size} bytes`));
    }
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(sentences.fileUnreadable(file, codeOf(error)));
  }
}
