import { meant } from "../error-words.ts";

/** At most eight. */
function listed(names: readonly string[]): string {
  const shown = names.slice(0, 8);
  const rest = names.length - shown.length;
  return `${shown.join(", ")}${rest === 0 ? "" : ` and ${rest} more`}`;
}

export const configFaults = {
  foreignLock: () => "locked is only for the system config",
  unknownLock: (name: string, nearest: string | undefined) =>
    `locked has "${name}", which is not an option${meant(nearest)}`,
  foreignOwner: () => "it does not belong to root, so it is left out",
  foreignFolder: () => "its folder does not belong to root, so it is left out",
  writableFile: () => "other users may write it, so it is left out",
  writableFolder: () => "other users may write its folder, so it is left out",
} as const;

export const policySentences = {
  policyHolds: (names: readonly string[] | string, file: string) =>
    `Ignoring your ${listed([names].flat())}: the system config "${file}" locks ${[names].flat().length === 1 ? "it" : "them"}`,
  policyOpen: (names: readonly string[] | string) =>
    `Locked budgets depend on ${[names].flat().join(", ")}, which users can still choose`,
  disableLocked: (file: string) =>
    `Ignoring MCP_METER_DISABLE: the system config "${file}" locks it`,
  countersLocked: (pattern: string, spec: string, file: string) =>
    `Cannot reset "${pattern}": the system config "${file}" locks the budget ${spec}`,
} as const;
