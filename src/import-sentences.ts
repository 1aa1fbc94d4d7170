import { counted, grouped, inWords } from "./error-words.ts";

/** The sentences of `errors.ts` about logs of clients. */
export const importSentences = {
  importerUnknown: (name: string, known: string) =>
    `Cannot import logs of "${name}": use one of ${known}`,
  logsMissing: (client: string | undefined) =>
    client === undefined ? `No logs of any client were found` : `No logs of ${client} were found`,
  readingLogs: (client: string, file: number, files: number) =>
    `Reading the logs of ${client}: file ${grouped(file)} of ${grouped(files)}`,
  logsHomeMissing: () => `Cannot find the logs of clients: set HOME or pass --from DIR`,
  importedLeftOut: (count: number) =>
    `The summary is without ${counted(count, "imported record")}: use --by to report them`,
  importsUnwritable: (count: number, folder: string, reason: string) =>
    `Cannot write the records of ${counted(count, "conversation")} to "${folder}": ${inWords(reason)}`,
  importFileUnwritable: (file: string, reason: string) =>
    `Cannot write imported records to "${file}": ${inWords(reason)}`,
  calibrationMalformed: (file: string, reason: string) =>
    `Cannot read the calibration in "${file}": ${inWords(reason)}`,
  calibrationUnwritable: (file: string, reason: string) =>
    `Cannot write the calibration to "${file}": ${inWords(reason)}`,
  calibrationEmpty: () =>
    "No scale was written: no model has enough clean steps and an estimator with a factor",
  calibrationWritten: (file: string, count: number) =>
    `Wrote ${counted(count, "scale")} to "${file}"; name the file as "calibration" in the config to use them`,
};
