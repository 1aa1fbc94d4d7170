import { lockedBudgets } from "#budgets/locked-budgets.ts";
import { sentences, UserError } from "#errors.ts";
import type { Arguments, OptionGroup, OptionSpecs, RawOptions } from "../command.ts";
import { budgetOptionSpecs } from "../run/budget-options.ts";
import { type GivenEndpoint, parseUrlOptions, urlOptionSpecs } from "../server/url-options.ts";
import { countOption, secondsOption, textOption } from "../values.ts";
import {
  configOption,
  meterOptionGroups,
  type MeteringOptions,
  parseMeteringOptions,
} from "../run/options.ts";

/** The highest port of TCP. */
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

const { annotate, ...outputOptionSpecs } = meterOptionGroups.output.options;

/** Options of `run` that hold or change messages: `serve` forwards all of them unchanged. */
export const ignoredOptionSpecs: OptionSpecs = { annotate, ...budgetOptionSpecs };

/** The names under which config files set them. */
const ignoredNames = ["budgets", lockedBudgets, ...Object.keys(ignoredOptionSpecs)];

/** Options of `serve`, as help groups them. */
export const serveOptionGroups: readonly OptionGroup[] = [
  { heading: "Server", options: serverOptionSpecs },
  meterOptionGroups.reader,
  { ...meterOptionGroups.output, options: outputOptionSpecs },
  meterOptionGroups.telemetry,
  { heading: "General", options: { config: configOption } },
];

/** The parsed arguments of `serve`. */
export type ServeOptions = MeteringOptions & {
  readonly upstream: GivenEndpoint;
  /** Options of config files that have no effect here. */
  readonly unenforced: readonly string[];
  /** 0 for a free one. */
  readonly port: number;
  /** Milliseconds without a request; undefined to stay. */
  readonly idleExitMs: number | undefined;
};

/** Throws UserError that names the first mistake, and no secret. */
export function parseServeOptions(args: Arguments): ServeOptions {
  const { options: raw, operands, child = [] } = args;
  const [unexpected] = [...operands, ...child];
  if (unexpected !== undefined) throw new UserError(sentences.argumentUnexpected(unexpected));
  const upstream = parseUrlOptions(raw);
  if (!upstream) throw new UserError(sentences.urlMissing());
  const unenforced = ignoredNames.filter((name) => raw[name] !== undefined);
  const metering = Object.fromEntries(
    Object.entries(raw).filter(([name]) => !unenforced.includes(name)),
  );
  return {
    ...parseMeteringOptions({ ...args, options: metering }),
    unenforced,
    upstream,
    port: portOption(raw),
    idleExitMs:
      textOption(raw, "idle-exit") === "off" ? undefined : secondsOption(raw, "idle-exit"),
  };
}

function portOption(raw: RawOptions): number {
  const port = countOption(raw, "port", 0) ?? 0;
  if (port <= highestPort) return port;
  const wanted = `a whole number of at most ${highestPort}`;
  throw new UserError(sentences.optionValue("port", String(port), wanted));
}
