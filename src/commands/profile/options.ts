import { profileFormats, type ProfileFormat } from "#renderers/formats.ts";
import type { Arguments, OptionGroup } from "../command.ts";
import { readerOptionGroup } from "../reader-options.ts";
import { connectionOptions, parseServerOptions, type ServerOptions } from "../server-options.ts";
import { choiceOption } from "../values.ts";

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
    },
  },
  { heading: "General", options: connectionOptions },
];

/** The parsed arguments of `profile`. */
export type ProfileOptions = ServerOptions & { readonly format: ProfileFormat };

/** Throws UserError that names the first mistake. */
export function parseProfileOptions(args: Arguments): ProfileOptions {
  return {
    ...parseServerOptions(args, "profile"),
    format: choiceOption(args.options, "format", profileFormats) ?? "table",
  };
}
