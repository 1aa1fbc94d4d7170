import { UserError } from "#kit/errors.ts";
import type { Arguments, OptionGroup, OptionSpecs, RawOptions } from "../command.ts";
import {
  type GivenEndpoint,
  parseUrlOptions,
  unexpectedOperand,
  urlOptionSpecs,
} from "../server/url-options.ts";
import { parseAmount } from "#kit/text/amount.ts";
import { secondsOption, textOption } from "../values.ts";
import {
  configOption,
  meterOptionGroups,
  type MeteringOptions,
  parseMeteringOptions,
} from "../run/options.ts";
import { commandSentences } from "../sentences.ts";
import { serveSentences } from "./sentences.ts";

const highestPort = 65_535;

const serverOptionSpecs: OptionSpecs = {
  ...urlOptionSpecs,
  port: { value: "N", describe: "port on this machine", default: "a free one" },
  "idle-exit": {
    value: "SECONDS",
    describe: "exit when no request was open for this long, such as 10m",
    default: "off",
  },
};

export const serveOptionGroups: readonly OptionGroup[] = [
  { heading: "Server", options: serverOptionSpecs },
  meterOptionGroups.reader,
  meterOptionGroups.limits,
  meterOptionGroups.output,
  meterOptionGroups.telemetry,
  { heading: "General", options: { config: configOption } },
];

export type ServeOptions = MeteringOptions & {
  readonly upstream: GivenEndpoint;
  readonly port: number;
  readonly idleExitMs: number | undefined;
};

/** Throws UserError, never with a secret. */
export function parseServeOptions(args: Arguments): ServeOptions {
  const { options: raw, operands, child } = args;
  const [unexpected] = operands;
  if (unexpected !== undefined) throw unexpectedOperand(unexpected, "serve");
  if (child !== undefined) throw new UserError(serveSentences.commandOfServe());
  const upstream = parseUrlOptions(raw);
  if (!upstream) throw new UserError(serveSentences.urlMissing());
  return {
    ...parseMeteringOptions(args),
    upstream,
    port: portOption(raw),
    idleExitMs:
      textOption(raw, "idle-exit") === "off" ? undefined : secondsOption(raw, "idle-exit"),
  };
}

function portOption(raw: RawOptions): number {
  const text = textOption(raw, "port") ?? "0";
  const port = parseAmount(text);
  if (port !== undefined && port <= highestPort) return port;
  const wanted = `a whole number from 0 to ${highestPort}`;
  throw new UserError(commandSentences.optionValue("port", text, wanted));
}
