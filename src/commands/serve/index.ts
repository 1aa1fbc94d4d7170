import { exitCodes, UserError } from "#kit/errors.ts";
import { defineCommand, type Arguments, type OptionGroup, type OptionSpecs } from "../command.ts";
import {
  processOptionSpecs,
  configOption,
  meterOptionGroups,
  parseMeteringOptions,
} from "../run/options.ts";
import { parseUrlOptions, makeOperandError, urlOptionSpecs } from "../server/server-options.ts";
import { parsePort, parseSeconds, readText } from "../values.ts";
import { serveSentences } from "./sentences.ts";
import type { ServeOptions } from "./command.ts";

const serverOptionSpecs: OptionSpecs = {
  ...urlOptionSpecs,
  port: { value: "N", describe: "port on this machine", default: "any free port" },
  "idle-exit": {
    value: "SECONDS",
    describe: "exit after this long without an open request, such as 10m",
    default: "off",
  },
};

const serveOptionGroups: readonly OptionGroup[] = [
  { heading: "Server", options: serverOptionSpecs, rare: ["header", "idle-exit"] },
  ...Object.values(meterOptionGroups),
  { heading: "General", options: { config: configOption } },
];

/** The UserError never contains a secret. */
export function parseServeOptions(args: Arguments): ServeOptions {
  const { options: raw, operands, child } = args;
  const [unexpected] = operands;
  if (unexpected !== undefined) throw makeOperandError(unexpected, "serve");
  if (child !== undefined) throw new UserError(serveSentences.commandOfServe());
  const upstream = parseUrlOptions(raw);
  if (!upstream) throw new UserError(serveSentences.urlMissing());
  return {
    ...parseMeteringOptions(args),
    upstream,
    port: parsePort(raw),
    idleExitMs: readText(raw, "idle-exit") === "off" ? undefined : parseSeconds(raw, "idle-exit"),
  };
}

export const serveCommand = defineCommand({
  name: "serve",
  summary: "Meter a server behind a URL, at an address on this machine",
  usage: "mcp-meter serve --url URL [options]",
  groups: serveOptionGroups,
  examples: [
    ["mcp-meter serve --url https://example.com/mcp --port 4321", "meter a server behind a URL"],
    [
      "mcp-meter serve --url https://example.com/mcp --header-env Authorization=TOKEN",
      "send the token in the variable TOKEN with every request",
    ],
    ["mcp-meter serve --url https://example.com/mcp --budget 500k/session", "limit conversations"],
    ["mcp-meter serve --url http://localhost:3001/mcp --idle-exit 10m", "exit when idle"],
  ],
  exits: [
    ["0", "a signal or --idle-exit ended it"],
    ["2", "wrong options, or the port is in use"],
  ],
  usageExit: exitCodes.usage,
  readsConfig: true,
  ignoredInConfig: processOptionSpecs,
  parse: parseServeOptions,
  load: async () => (await import("./command.ts")).serve,
});
