import { describeReason, formatSuggestion } from "#kit/errors.ts";

export const configFaults = {
  foreignLock: () => "locked is only for the system config",
  unknownLock: (name: string, nearest: string | undefined) =>
    `locked has "${name}", which is not an option${formatSuggestion(nearest)}`,
  foreignOwner: () => "it does not belong to root, so it is left out",
  foreignFolder: () => "its folder does not belong to root, so it is left out",
  writableFile: () => "other users may write it, so it is left out",
  writableFolder: () => "other users may write its folder, so it is left out",
} as const;

export const configSentences = {
  configMalformed: (file: string, reason: string) =>
    `Cannot read the config "${file}": ${describeReason(reason)}`,
} as const;
