import { timeoutSecondsMax } from "#limits.ts";
import { sentences, UserError } from "#errors.ts";
import { estimatorIds } from "#estimators/index.ts";
import type { RiskThresholds } from "#cost/risk.ts";
import type { ReaderOptions } from "../reader.ts";
import type { Arguments, OptionSpecs, RawOptions } from "../command.ts";
import { riskOption, tokenizerOption } from "../run/options.ts";
import { countOption, textOption } from "../values.ts";

/** Options of every command that connects to a server as a client. */
export const serverOptionSpecs: OptionSpecs = {
  timeout: { value: "SECONDS", describe: "how long the server may take to answer (default 30)" },
  tokenizer: { value: "ID", describe: `how to count: auto (default), ${estimatorIds.join(", ")}` },
  model: { value: "NAME", describe: "model that reads: chooses tokenizer, image rule and window" },
  client: { value: "NAME", describe: "client to count for" },
  window: { value: "N", describe: "context window in tokens, for shares (default: by model)" },
  risk: {
    value: "LOW,MEDIUM,HIGH",
    describe: "risk thresholds in tokens (default 1000,4000,8000)",
  },
};

/** Those options, understood. */
export type ServerOptions = ReaderOptions & {
  readonly timeoutMs: number;
  readonly risk: RiskThresholds;
};

const timeoutSecondsDefault = 30;
/** Throws UserError naming the first option that cannot be read. */
export function parseServerOptions(raw: RawOptions): ServerOptions {
  return {
    timeoutMs: timeoutOption(raw),
    tokenizer: tokenizerOption(raw),
    model: textOption(raw, "model"),
    client: textOption(raw, "client"),
    windowTokens: countOption(raw, "window", 1),
    risk: riskOption(raw),
  };
}

/** The server's command, after `--`. Throws UserError when it is missing or has arguments before the `--`. */
export function serverCommand({ child, operands }: Arguments, name: string): readonly string[] {
  if (child === undefined || child.length === 0) throw new UserError(sentences.serverMissing(name));
  const [first] = operands;
  if (first !== undefined) throw new UserError(sentences.argumentUnexpected(first));
  return child;
}

function timeoutOption(raw: RawOptions): number {
  const text = textOption(raw, "timeout");
  if (text === undefined) return timeoutSecondsDefault * 1000;
  const seconds = Number(text);
  const isNumber = /^\d+(\.\d+)?$/.test(text);
  if (isNumber && seconds > 0 && seconds <= timeoutSecondsMax) return Math.ceil(seconds * 1000);
  const wanted = `seconds between 0 and ${timeoutSecondsMax}, such as 30`;
  throw new UserError(sentences.optionValue("timeout", text, wanted));
}
