import { exitCodes, UserError } from "#kit/errors.ts";
import { pluralize } from "#kit/text/numbers.ts";
import type { Calibration } from "#tokens/estimators/calibration.ts";
import type { ImporterId } from "#history/importers/ids.ts";
import { type ConversationTurns, groupTurns } from "#history/imports/conversation-turns.ts";
import {
  collectScales,
  type ValidationReport,
  makeValidationReport,
} from "#history/imports/validate/validation-report.ts";
import { validateModels } from "#history/imports/validate/validate-models.ts";
import type { Ending, Io } from "#kit/io.ts";
import { buildValidationDocument } from "#screens/renderers/documents/logs/validate.ts";
import { render } from "#screens/renderers/index.ts";
import { findConfigFolder } from "#state/storage/folders.ts";
import { writeCalibrationFile } from "#state/storage/calibration-file.ts";
import { type Tell, Teller } from "#kit/text/teller.ts";
import {
  ClientEstimators,
  makeLogTools,
  mergeClient,
  openRememberedServers,
  readClients,
  type LogOptions,
} from "../import/read-clients.ts";
import { printOutput, type Output } from "../output/output-options.ts";
import type { DocumentFormat } from "#screens/renderers/formats.ts";

export type ValidateOptions = LogOptions &
  Output<DocumentFormat> & {
    /** Beginnings of ids, as the clients write them. Empty for all sessions. */
    readonly sessions: readonly string[];
    readonly errorMax: number | undefined;
    readonly calibrationFile: string | undefined;
  };

export async function validate(
  options: ValidateOptions,
  io: Io,
  nowMs: number = Date.now(),
): Promise<Ending> {
  const { tell } = new Teller(io.stderr);
  const report = await validateLogs(options, io, tell);
  const printout = { document: buildValidationDocument(report), data: report };
  await printOutput((page) => render(options.format, printout, page), options, io);
  if (options.calibrationFile !== undefined) {
    writeScales(options.calibrationFile, report, { nowMs, tell, env: io.env });
  }
  return { code: hasPassed(report, options) ? exitCodes.ok : exitCodes.failed };
}

async function validateLogs(
  options: ValidateOptions,
  io: Io,
  tell: Tell,
): Promise<ValidationReport> {
  const estimators = new ClientEstimators();
  const makeTools = (client: ImporterId) =>
    makeLogTools(estimators.open(client), { key: "", namesProjects: false, keepsEntries: true });
  const remembered = openRememberedServers(io.env);
  const recallServers = (client: ImporterId) => remembered?.listServers(client) ?? [];
  const clients = await readClients(options, { io, tell, makeTools, recallServers });
  const { sessions } = options;
  const found = new Set<string>();
  const isChosen = ({ conversation }: ConversationTurns): boolean => {
    const session = sessions.find((beginning) => conversation.startsWith(beginning));
    if (session !== undefined) found.add(session);
    return sessions.length === 0 || session !== undefined;
  };
  const validated = clients.map((client) => ({
    client: client.id,
    models: validateModels(groupTurns(mergeClient(client)).filter(isChosen)),
    findEstimator: (model: string | null) => estimators.open(client.id).find(model),
  }));
  const missing = sessions.find((beginning) => !found.has(beginning));
  if (missing !== undefined) throw new UserError(validateSentences.sessionUnknown(missing));
  return makeValidationReport(validated);
}

function writeScales(
  file: string,
  report: ValidationReport,
  { nowMs, tell, env }: Pick<Io, "env"> & { readonly nowMs: number; readonly tell: Tell },
): void {
  const calibration: Calibration = {
    schema_version: "1.0",
    written: new Date(nowMs).toISOString(),
    models: collectScales(report),
  };
  if (calibration.models.length === 0) return tell(validateSentences.calibrationEmpty());
  writeCalibrationFile(file, calibration, findConfigFolder(env));
  tell(validateSentences.calibrationWritten(file, calibration.models.length));
}

function hasPassed(report: ValidationReport, { errorMax }: ValidateOptions): boolean {
  const { models, impossible_requests: impossible, worst_median_error: worst } = report;
  const isErrorTooLarge = errorMax !== undefined && worst !== null && worst > errorMax;
  return models.length > 0 && impossible === 0 && !isErrorTooLarge;
}

export const validateSentences = {
  sessionUnknown: (id: string) =>
    `Found no session whose id begins with "${id}"; most clients name the log of a session after its id`,
  calibrationEmpty: () =>
    "Wrote no scale: a model needs 30 clean steps that consist mostly of answers, an estimator that multiplies by a factor, and a scale from 0.25 to 4",
  calibrationWritten: (file: string, count: number) =>
    `Wrote ${pluralize(count, "scale")} to "${file}"; set "calibration" in the config to this file to use them`,
} as const;
