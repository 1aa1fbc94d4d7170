import { describeReason } from "#kit/errors.ts";
import { pluralize, formatCount } from "#kit/text/numbers.ts";

export const importSentences = {
  importerUnknown: (name: string, known: string) =>
    `Cannot import logs of "${name}": use one of ${known}`,
  logsMissing: (client: string | undefined, homes: string) =>
    `Found no logs of ${client ?? "any client"} in the home "${homes}"; name another one with --from DIR`,
  readingLogs: (client: string, file: number, files: number) =>
    `Reading the logs of ${client}: file ${formatCount(file)} of ${formatCount(files)}`,
  logsHomeMissing: () => `Cannot find the logs of clients: set HOME or pass --from DIR`,
  importsUnwritable: (count: number, folder: string, reason: string) =>
    `Cannot write the records of ${pluralize(count, "conversation")} to "${folder}": ${describeReason(reason)}`,
  importFileUnwritable: (file: string, reason: string) =>
    `Cannot write imported records to "${file}": ${describeReason(reason)}`,
} as const;
