import { describeReason, formatSuggestion } from "#kit/sentences.ts";

export const configFaults = {
  foreignLock: () => "locked is allowed only in the system config",
  unknownLock: (name: string, nearest: string | undefined) =>
    `locked has "${name}", which is not an option${formatSuggestion(nearest)}`,
  foreignOwner: () => "it does not belong to root, so it is ignored",
  foreignFolder: () => "its folder does not belong to root, so the file is ignored",
  writableFile: () => "other users can write to it, so it is ignored",
  writableFolder: () => "other users can write to its folder, so the file is ignored",
} as const;

export const configSentences = {
  configMalformed: (file: string, reason: string) =>
    `Cannot read the config "${file}": ${describeReason(reason)}`,
} as const;
