import { sentences } from "../errors.ts";
import type { Io, Writer } from "../io.ts";
import { replaceFile } from "./replace-file.ts";
import type { Tell } from "../text/teller.ts";

/** To stderr without `file`. Never throws: a failure is one sentence. */
export function writeSummary(
  text: string,
  file: string | undefined,
  stderr: Writer,
  tell: Tell,
): void {
  if (file === undefined) {
    stderr.write(text);
    return;
  }
  const fault = replaceFile(file, text);
  if (fault !== undefined) tell(sentences.summaryUnwritable(file, fault));
}

/** A terminal, unless NO_COLOR, FORCE_COLOR (no-color.org, force-color.org) or TERM decide otherwise. */
export function mayColor(writer: Writer, env: Io["env"]): boolean {
  if ((env["NO_COLOR"] ?? "") !== "") return false;
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  return writer.isTerminal && env["TERM"] !== "dumb";
}
