import { UserError } from "#kit/errors.ts";
import { isRangeEnd } from "#history/reports/time-range.ts";
import type { Arguments, OptionGroup } from "../command.ts";
import { parsePriceOptions, type PriceOptions, priceOptionSpecs } from "../price-options.ts";
import { rangeEndForms, timezoneOption } from "../report/options.ts";
import { countOption, flagOption, listOption, textOption } from "../values.ts";
import type { NamedLock } from "./locks.ts";
import { commandSentences } from "../sentences.ts";

const sinceDefault = "30d";

const highestPort = 65_535;

export const dashOptionGroups: readonly OptionGroup[] = [
  {
    heading: "Page",
    options: {
      port: { value: "N", describe: "port on this machine", default: "a free one" },
      open: { describe: "open the page in the browser", isFlagOnly: true },
    },
  },
  {
    heading: "Records",
    options: {
      since: {
        value: "WHEN",
        describe: "from a date such as 2026-11-01, or the last 24h, 7d, 4w; whole days",
        default: sinceDefault,
        isFlagOnly: true,
      },
      timezone: timezoneOption,
      ...priceOptionSpecs,
      lock: {
        value: "[SERVER=]FILE",
        describe: "compare definitions with a lock; SERVER is its name in records",
        isRepeatable: true,
        isFlagOnly: true,
        isPath: true,
      },
    },
  },
];

export type DashOptions = PriceOptions & {
  readonly port: number;
  readonly isOpened: boolean;
  readonly since: string;
  readonly timezone: string | undefined;
  readonly locks: readonly NamedLock[];
};

export function parseDashOptions({ options, operands, child = [] }: Arguments): DashOptions {
  const [first] = [...operands, ...child];
  if (first !== undefined) throw new UserError(commandSentences.argumentUnexpected(first));
  const port = countOption(options, "port", 0) ?? 0;
  if (port > highestPort) {
    throw new UserError(
      commandSentences.optionValue(
        "port",
        String(port),
        `a whole number of at most ${highestPort}`,
      ),
    );
  }
  const since = textOption(options, "since") ?? sinceDefault;
  if (!isRangeEnd(since)) {
    throw new UserError(commandSentences.optionValue("since", since, rangeEndForms));
  }
  return {
    port,
    isOpened: flagOption(options, "open"),
    since,
    timezone: textOption(options, "timezone"),
    locks: listOption(options, "lock").map(parseNamedLock),
    ...parsePriceOptions(options),
  };
}

/** A path may contain `=` after a slash; no slash precedes it in a server's name. */
function parseNamedLock(raw: string): NamedLock {
  const [, server, file = raw] = /^([^=/\\]+)=(.+)$/s.exec(raw) ?? [];
  return { server, file };
}
