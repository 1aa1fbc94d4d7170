import { grouped, inWords } from "./error-words.ts";

type MistakePlace = { readonly file: string; readonly line: number };

/** Printed as one sentence, without a stack. */
export class UserError extends Error {
  /** Undefined leaves the choice to the command (125 for `run`, 2 for the others). */
  readonly exitCode: number | undefined;
  readonly place: MistakePlace | undefined;

  constructor(sentence: string, exitCode?: number, place?: MistakePlace) {
    super(sentence);
    this.name = "UserError";
    this.exitCode = exitCode;
    this.place = place;
  }
}

export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  serverUnreachable: 3,
  runFailed: 125,
  notExecutable: 126,
  notFound: 127,
} as const;

/** The failure, with the value, and the remedy. A `reason` is a clause or a system error code. */
export const sentences = {
  disableLocked: (file: string) =>
    `Ignoring MCP_METER_DISABLE: the system config "${file}" locks it`,
  commandNotFound: (command: string) =>
    `Cannot start "${command}": command not found; use the name of a program on the PATH, or a path`,
  commandNotExecutable: (command: string, reason: string) =>
    `Cannot start "${command}": it ${reason}`,
  commandFailed: (command: string, reason: string) => `Cannot start "${command}": ${reason}`,
  stdinUnreadable: (reason: string) => `Cannot read stdin: ${inWords(reason)}`,
  stdoutUnwritable: (reason: string) => `Cannot write to stdout: ${inWords(reason)}`,
  fileUnreadable: (file: string, reason: string) => `Cannot read "${file}": ${inWords(reason)}`,
  globEmpty: (pattern: string) => `Cannot read "${pattern}": no file matches`,
  summaryUnwritable: (file: string, reason: string) =>
    `Cannot write the summary to "${file}": ${inWords(reason)}`,
  stepSummaryUnwritable: (reason: string) =>
    `Cannot append to the step summary: ${inWords(reason)}`,
  notTools: (entries: number) =>
    `The list of tools has ${entries === 1 ? "1 entry that is not a tool" : `${grouped(entries)} entries that are not tools`}; clients may reject the whole list`,
  reportUnwritable: (file: string, reason: string) => `Cannot write "${file}": ${inWords(reason)}`,
} as const;
