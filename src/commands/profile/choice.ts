import type { Arguments } from "../command.ts";
import { flagOption } from "../values.ts";
import { parseProfileOptions, type ProfileOptions } from "./options.ts";
import { parseSetupOptions, rejectSetupOptions, type SetupOptions } from "./setup-options.ts";

export type ProfileChoice = { readonly server: ProfileOptions } | { readonly setup: SetupOptions };

export function parseProfileChoice(args: Arguments): ProfileChoice {
  if (flagOption(args.options, "configured")) return { setup: parseSetupOptions(args) };
  rejectSetupOptions(args.options);
  return { server: parseProfileOptions(args) };
}
