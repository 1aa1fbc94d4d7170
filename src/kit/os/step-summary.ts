import { closeSync, constants, statSync, writeFileSync } from "node:fs";
import { sentences } from "../errors.ts";
import type { Io } from "../io.ts";
import { errorCode } from "./file-errors.ts";
import { openToWrite } from "./named-file.ts";
import type { Tell } from "../text/teller.ts";

export function isOnGithub(env: Io["env"]): boolean {
  return env["GITHUB_ACTIONS"] === "true";
}

/** Does nothing elsewhere. `render` gets the bytes that the summary has already. Never throws. */
export function appendStepSummary(
  env: Io["env"],
  render: (takenBytes: number) => string,
  tell: Tell,
): void {
  const file = env["GITHUB_STEP_SUMMARY"];
  if (!isOnGithub(env) || file === undefined || file === "") return;
  try {
    const text = render(sizeOf(file));
    const fault = text === "" ? undefined : append(file, text);
    if (fault !== undefined) tell(sentences.stepSummaryUnwritable(fault));
  } catch (error) {
    tell(sentences.stepSummaryUnwritable(errorCode(error)));
  }
}

function append(file: string, text: string): string | undefined {
  const opened = openToWrite(file, constants.O_APPEND);
  if ("fault" in opened) return opened.fault;
  try {
    writeFileSync(opened.fd, text);
  } finally {
    closeSync(opened.fd);
  }
  return undefined;
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
