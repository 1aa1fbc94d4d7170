import { UserError } from "#kit/errors.ts";
import { profileFormats, type ProfileFormat } from "#screens/renderers/formats.ts";
import type { Arguments, OptionGroup } from "../command.ts";
import { exactOptionSpecs, type ExactOptions, parseExactOptions } from "../exact-options.ts";
import { type Output, outputOptionSpecs, parseOutput } from "../output/output-options.ts";
import { readerOptionGroup } from "../reader-options.ts";
import {
  connectionOptions,
  parseServerOptions,
  type ServerOptions,
} from "../server/server-options.ts";
import { urlOptionGroup } from "../server/url-options.ts";
import { flagOption, textOption } from "../values.ts";
import {
  parseSetupOptions,
  rejectSetupOptions,
  setupOptionSpecs,
  type SetupOptions,
} from "./setup-options.ts";
import { commandSentences } from "../sentences.ts";

export const profileOptionGroups: readonly OptionGroup[] = [
  { ...readerOptionGroup, options: { ...readerOptionGroup.options, ...exactOptionSpecs } },
  {
    heading: "Output",
    options: {
      ...outputOptionSpecs(profileFormats),
      compare: {
        value: "FILE",
        describe: "compare with an earlier profile, as --format json printed it",
        isPath: true,
      },
    },
  },
  {
    heading: "Recorded sessions",
    options: {
      records: {
        value: "FILE",
        followingValue: /^[^-]/,
        describe:
          "print the size of answers in recorded sessions of FILE, a folder, or this machine",
        isPath: true,
        isFlagOnly: true,
      },
    },
  },
  { heading: "Servers of clients", options: setupOptionSpecs },
  urlOptionGroup,
  { heading: "General", options: connectionOptions },
];

export type ProfileOptions = ServerOptions &
  Output<ProfileFormat> & {
    readonly compared: string | undefined;
    readonly records: string | true | undefined;
    readonly exact: ExactOptions | undefined;
  };

export function parseProfileChoice(
  args: Arguments,
): { readonly server: ProfileOptions } | { readonly setup: SetupOptions } {
  if (flagOption(args.options, "configured")) return { setup: parseSetupOptions(args) };
  rejectSetupOptions(args.options);
  return { server: parseProfileOptions(args) };
}

function parseProfileOptions(args: Arguments): ProfileOptions {
  const output = parseOutput(args.options, profileFormats);
  const compared = textOption(args.options, "compare");
  if (output.format === "badge" && compared !== undefined) {
    throw new UserError(commandSentences.optionsContradict("--format badge", "--compare"));
  }
  const exact = parseExactOptions(args.options);
  const { records: raw } = args.options;
  const records = raw === true || raw === undefined ? raw : textOption(args.options, "records");
  return { ...parseServerOptions(args, "profile"), ...output, compared, records, exact };
}
