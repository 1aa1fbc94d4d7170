import { runCommand } from "#commands/run/index.ts";
import { readPolicy } from "#state/storage/config/policy.ts";
import { readConfig } from "./configs.ts";

export function policyMembers(locked: readonly string[]): readonly string[] {
  const configs = [readConfig("system", {}, { locked })];
  return readPolicy(configs, runCommand.options).unknown.map(({ fault }) => fault);
}
