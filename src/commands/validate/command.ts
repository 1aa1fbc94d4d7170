import { exitCodes, UserError } from "#kit/errors.ts";
import { pluralize } from "#kit/text/numbers.ts";
import type { Calibration } from "#tokens/estimators/user-calibration.ts";
import type { ImporterId } from "#history/importers/ids.ts";
import { importers } from "#history/importers/index.ts";
import { makeConversationRecords } from "#history/imports/conversation-records.ts";
import { type ConversationTurns, groupTurns } from "#history/imports/conversation-turns.ts";
import {
  collectScales,
  type ValidationReport,
  makeValidationReport,
} from "#history/imports/validate/validation-report.ts";
import { type MergedLogs, mergeLogs, type ReadLog } from "#history/imports/merge-logs.ts";
import { readLog } from "#state/storage/logs/read-log.ts";
import { validateModels } from "#history/imports/validate/validate-models.ts";
import type { Ending, Io } from "#kit/io.ts";
import { deriveUuid, sha256 } from "#kit/os/hash.ts";
import { buildValidationDocument } from "#screens/renderers/documents/logs/validate.ts";
import { render } from "#screens/renderers/index.ts";
import { findConfigFolder } from "#state/storage/folders.ts";
import { writeCalibrationFile } from "#state/storage/price-file.ts";
import { type Tell, Teller } from "#kit/text/teller.ts";
import type { LogOptions } from "../import/options.ts";
import { type FoundClient, openImportChoices, readClients } from "../import/read-clients.ts";
import { EstimatorsByClient, makeLogUtils } from "../import/log-estimators.ts";
import { printOutput, type Output } from "../output/output-options.ts";
import type { DocumentFormat } from "#screens/renderers/formats.ts";
import { commonSentences } from "#kit/sentences.ts";

export type ValidateOptions = LogOptions &
  Output<DocumentFormat> & {
    /** Prefixes of session ids, as clients or reports write them. Empty for all sessions. */
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
  const estimators = new EstimatorsByClient();
  const earlierChoices = openImportChoices(io.env);
  const clients = await readClients(options, { io, tell, earlierChoices }, (client) =>
    mergeClient(client, estimators, tell),
  );
  const { sessions } = options;
  const foundSessions = new Set<string>();
  const makeFilter = (client: ImporterId, logs: MergedLogs) => {
    const reported = sessions.length === 0 ? undefined : listReportedIds(client, logs, estimators);
    return ({ conversation }: ConversationTurns): boolean => {
      const ids = [conversation, ...(reported?.get(sha256(conversation)) ?? [])];
      const chosen = sessions.filter((prefix) => ids.some((id) => id.startsWith(prefix)));
      for (const session of chosen) foundSessions.add(session);
      return sessions.length === 0 || chosen.length > 0;
    };
  };
  const validated = clients.map(({ id, logs }) => ({
    client: id,
    models: validateModels(groupTurns(logs).filter(makeFilter(id, logs))),
    findEstimator: (model: string | null) => estimators.open(id).find(model),
  }));
  const missing = sessions.find((prefix) => !foundSessions.has(prefix));
  if (missing !== undefined) throw new UserError(validateSentences.sessionUnknown(missing));
  return makeValidationReport(validated);
}

const logUtilOptions = {
  countsTokens: true,
  measuresTexts: true,
  key: "",
  namesProjects: false,
  keepsEntries: true,
};

async function mergeClient(
  { id, files, servers }: FoundClient,
  estimators: EstimatorsByClient,
  tell: Tell,
): Promise<{ readonly id: ImporterId; readonly logs: MergedLogs } | undefined> {
  const utils = makeLogUtils(estimators.open(id), logUtilOptions);
  const logs: ReadLog[] = [];
  for (const log of files) {
    const outcome = await readLog(log, importers[id], utils);
    if ("fault" in outcome) tell(commonSentences.fileUnreadable(log.file, outcome.fault));
    else logs.push(outcome);
  }
  return logs.length === 0 ? undefined : { id, logs: mergeLogs(logs, servers) };
}

/** Maps the hash of a client's conversation id to the session ids that reports show for it. */
function listReportedIds(
  client: ImporterId,
  logs: MergedLogs,
  estimators: EstimatorsByClient,
): ReadonlyMap<string, readonly string[]> {
  const utils = {
    uuid: deriveUuid,
    sha256,
    findEstimation: (model: string | null) => estimators.open(client).find(model),
    countTokens: () => null,
  };
  const ids = new Map<string, readonly string[]>();
  for (const { records } of makeConversationRecords(client, logs, utils)) {
    const [hash] = records.flatMap((record) =>
      record.type === "conversation" ? (record.client_session_id_sha256 ?? []) : [],
    );
    if (hash === undefined) continue;
    ids.set(hash, [...new Set(records.map((record) => record.session_id))]);
  }
  return ids;
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
    `Found no session whose id begins with "${id}"; use the beginning of an id that the client or "mcp-meter report --by session" shows`,
  calibrationEmpty: () =>
    "Wrote no scale: a model gets one only if it is a Claude or Gemini model, it has at least 30 clean steps, and most tokens of these steps are in answers; a scale below 0.25 or above 4 is not written",
  calibrationWritten: (file: string, count: number) =>
    `Wrote ${pluralize(count, "scale")} to "${file}"; set "calibration" in the config to this file to use ${count === 1 ? "it" : "them"}`,
} as const;
