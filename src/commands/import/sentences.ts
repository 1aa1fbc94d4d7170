import { counted, grouped, inWords } from "#kit/errors.ts";

export const importSentences = {
  importerUnknown: (name: string, known: string) =>
    `Cannot import logs of "${name}": use one of ${known}`,
  logsMissing: (client: string | undefined, homes: string) =>
    `No logs of ${client ?? "any client"} were found for the home "${homes}"; --from DIR names another one`,
  readingLogs: (client: string, file: number, files: number) =>
    `Reading the logs of ${client}: file ${grouped(file)} of ${grouped(files)}`,
  logsHomeMissing: () => `Cannot find the logs of clients: set HOME or pass --from DIR`,
  importsUnwritable: (count: number, folder: string, reason: string) =>
    `Cannot write the records of ${counted(count, "conversation")} to "${folder}": ${inWords(reason)}`,
  importFileUnwritable: (file: string, reason: string) =>
    `Cannot write imported records to "${file}": ${inWords(reason)}`,
} as const;
