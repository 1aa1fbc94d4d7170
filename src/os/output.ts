import { writeFileSync } from "node:fs";
import { sentences } from "#errors.ts";
import type { Io, Writer } from "#io.ts";
import { codeOf } from "./system-error.ts";
import type { Tell } from "#text/teller.ts";

/** Writes a rendered summary to a file, or to stderr when none is named. Never throws. */
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
  try {
    writeFileSync(file, text);
  } catch (error) {
    tell(sentences.summaryUnwritable(file, codeOf(error)));
  }
}

/** Colour on a terminal, unless the environment says otherwise (no-color.org, force-color.org). */
export function mayColor(writer: Writer, env: Io["env"]): boolean {
  if ((env["NO_COLOR"] ?? "") !== "") return false;
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  return writer.isTerminal && env["TERM"] !== "dumb";
}
