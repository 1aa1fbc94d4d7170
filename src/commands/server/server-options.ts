import type { RiskThresholds } from "#cost/risk.ts";
import { sentences, UserError } from "#errors.ts";
import type { Arguments, OptionSpecs, RawOptions } from "../command.ts";
import { parseReaderOptions, riskOption, type ReaderOptions } from "../reader-options.ts";
import { secondsOption } from "../values.ts";

/** The server of a command that connects as a client, and the reader it is priced for. */
export type ServerOptions = {
  readonly command: readonly string[];
  readonly timeoutMs: number;
  readonly reading: ReaderOptions;
  /** Undefined when the user sets none. */
  readonly risk: RiskThresholds | undefined;
};

const timeoutSecondsDefault = 30;

/** Options about the connection. */
export const connectionOptions: OptionSpecs = {
  timeout: {
    value: "SECONDS",
    describe: "most seconds that the server may take to answer",
    default: String(timeoutSecondsDefault),
  },
};

/** Parses them for the command of that name. Throws UserError that names the first mistake. */
export function parseServerOptions(args: Arguments, name: string): ServerOptions {
  return {
    command: serverCommand(args, name),
    timeoutMs: parseTimeout(args.options),
    reading: parseReaderOptions(args.options),
    risk: riskOption(args.options),
  };
}

/** Milliseconds that a server may take to answer. */
export function parseTimeout(options: RawOptions): number {
  return secondsOption(options, "timeout") ?? timeoutSecondsDefault * 1000;
}

/** The server's command after `--`, with nothing before it. */
export function serverCommand(
  { child = [], operands }: Arguments,
  name: string,
): readonly string[] {
  const [first] = operands;
  if (first !== undefined) throw new UserError(sentences.argumentUnexpected(first));
  if (child.length === 0) throw new UserError(sentences.serverMissing(name));
  return child;
}
