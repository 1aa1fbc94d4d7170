import { UserError } from "#kit/errors.ts";
import { parseHttpUrl } from "#kit/text/http-url.ts";
import type { OtlpOptions } from "#state/sinks/otlp/open-otlp.ts";
import type { OptionSpecs, RawOptions } from "../command.ts";
import { readFlag } from "../values.ts";
import { commandSentences } from "../sentences.ts";
import { runSentences } from "./sentences.ts";

export type { OtlpOptions } from "#state/sinks/otlp/open-otlp.ts";

const off = "off";

export const otlpOptionSpecs: OptionSpecs = {
  otlp: {
    value: "[URL]",
    isSecret: true,
    followingValue: /^(?:https?:|off$)/i,
    describe:
      "send metrics by OTLP over HTTP to URL; if omitted, to the URL in OTEL_EXPORTER_OTLP_ENDPOINT",
    default: off,
  },
  "otlp-traces": { describe: "with --otlp, send each call as a span as well" },
};

/** The UserError never quotes the address, which may contain a password. */
export function parseOtlp(raw: RawOptions): OtlpOptions | undefined {
  const sendsSpans = readFlag(raw, "otlp-traces");
  const { otlp } = raw;
  if (typeof otlp !== "string" || isOnOrOff(otlp)) {
    // `off` comes first: `readFlag` would reject it.
    const isOn = otlp !== off && readFlag(raw, "otlp");
    if (sendsSpans && !isOn)
      throw new UserError(commandSentences.optionRequires("otlp-traces", "otlp"));
    return isOn ? { url: undefined, sendsSpans } : undefined;
  }
  if (!parseHttpUrl(otlp)) throw new UserError(runSentences.otlpMalformed());
  return { url: otlp, sendsSpans };
}

function isOnOrOff(text: string): boolean {
  return ["true", "1", "yes", "false", "0", "no", off].includes(text);
}
