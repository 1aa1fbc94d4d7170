import { sentences, UserError } from "#errors.ts";
import { profileFormats, type ProfileFormat } from "#renderers/formats.ts";
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
import { textOption } from "../values.ts";
import { setupOptionSpecs } from "./setup-options.ts";

/** Options of `profile`, as help groups them. */
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
  { heading: "Servers of clients", options: setupOptionSpecs },
  urlOptionGroup,
  { heading: "General", options: connectionOptions },
];

/** The parsed arguments of `profile`. */
export type ProfileOptions = ServerOptions &
  Output<ProfileFormat> & {
    /** File of an earlier profile; undefined when none is compared. */
    readonly compared: string | undefined;
    /** Undefined when the definitions are estimated. */
    readonly exact: ExactOptions | undefined;
  };

/** Throws UserError that names the first mistake. */
export function parseProfileOptions(args: Arguments): ProfileOptions {
  const output = parseOutput(args.options, profileFormats);
  const compared = textOption(args.options, "compare");
  if (output.format === "badge" && compared !== undefined) {
    throw new UserError(sentences.optionsContradict("--format badge", "--compare"));
  }
  const exact = parseExactOptions(args.options);
  return { ...parseServerOptions(args, "profile"), ...output, compared, exact };
}
