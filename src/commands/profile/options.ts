import { sentences, UserError } from "#errors.ts";
import { profileFormats, type ProfileFormat } from "#renderers/formats.ts";
import type { Arguments, OptionGroup } from "../command.ts";
import { readerOptionGroup } from "../reader-options.ts";
import { connectionOptions, parseServerOptions, type ServerOptions } from "../server-options.ts";
import { choiceOption, textOption } from "../values.ts";

/** Options of `profile`, as help groups them. */
export const profileOptionGroups: readonly OptionGroup[] = [
  readerOptionGroup,
  {
    heading: "Output",
    options: {
      format: {
        value: "FORMAT",
        describe: `output format: ${profileFormats.join(", ")}`,
        default: "table",
      },
      compare: {
        value: "FILE",
        describe: "compare with an earlier profile, as --format json printed it",
        isPath: true,
      },
    },
  },
  { heading: "General", options: connectionOptions },
];

/** The parsed arguments of `profile`. */
export type ProfileOptions = ServerOptions & {
  readonly format: ProfileFormat;
  /** File of an earlier profile; undefined when none is compared. */
  readonly compared: string | undefined;
};

/** Throws UserError that names the first mistake. */
export function parseProfileOptions(args: Arguments): ProfileOptions {
  const format = choiceOption(args.options, "format", profileFormats) ?? "table";
  const compared = textOption(args.options, "compare");
  if (format === "badge" && compared !== undefined) {
    throw new UserError(sentences.optionsContradict("--format badge", "--compare"));
  }
  return { ...parseServerOptions(args, "profile"), format, compared };
}
