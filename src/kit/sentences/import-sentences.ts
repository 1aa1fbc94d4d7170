import { counted, grouped, inWords } from "../error-words.ts";

export const importSentences = {
  importerUnknown: (name: string, known: string) =>
    `Cannot import logs of "${name}": use one of ${known}`,
  logsMissing: (client: string | undefined, homes: string) =>
    `No logs of ${client ?? "any client"} were found for the home "${homes}"; --from DIR names another one`,
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
    "No scale was written: a model needs 30 clean steps that are mostly answers, an estimator with a factor, and a scale from 0.25 to 4",
  calibrationWritten: (file: string, count: number) =>
    `Wrote ${counted(count, "scale")} to "${file}"; name the file as "calibration" in the config to use them`,
};
