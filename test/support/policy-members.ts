import { runCommand } from "#commands/run/index.ts";
import { readPolicy } from "#storage/config/policy.ts";
import { readConfig } from "./configs.ts";

/** The names of a `locked` that lock nothing. */
export function policyMembers(locked: readonly string[]): readonly string[] {
  const configs = [readConfig("system", {}, { locked })];
  return readPolicy(configs, runCommand.options).unknown.map(({ fault }) => fault);
}
