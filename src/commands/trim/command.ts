import { resolve } from "node:path";
import type { Ending, Io } from "#kit/io.ts";
import { resolveRealPath } from "#kit/os/open-file.ts";
import { passesPatterns } from "#kit/text/match-names.ts";
import { quoteShellWord } from "#kit/text/unsafe-text.ts";
import {
  buildTrimDocument,
  sumTrim,
  type TrimEntry,
  type TrimReport,
} from "#screens/renderers/documents/settings/trim.ts";
import { render } from "#screens/renderers/index.ts";
import { locateEntry, readTrimmedFiles } from "#state/storage/clients/wrap-journal.ts";
import { findHomeFolder, findStateFolder, mayExist } from "#state/storage/folders.ts";
import { privateReportMode } from "#state/storage/report-file.ts";
import { printOutput, rejectUnwritableOutput } from "../output/output-options.ts";
import {
  confirmAndApply,
  type ConfirmationPrompt,
  decideEnding,
  type Plans,
} from "../wrap/confirm-changes.ts";
import type { FilePlan, PlannedServer, SettingsTask } from "../wrap/plan-file.ts";
import { listHidden } from "../wrap/change-entry-options.ts";
import { makePlans, makePlansWithHint, tellAboutProject } from "../wrap/command.ts";
import { describeRefusal } from "../wrap/sentences.ts";
import {
  describeRestarts,
  findProject,
  formatServerName,
  listFileChanges,
} from "../wrap/wrap-report.ts";
import {
  adviseEntry,
  emptyAdvice,
  type Study,
  studyRecords,
  type TrimOptions,
} from "./choose-tools.ts";

export async function trim(
  options: TrimOptions,
  io: Io,
  prompt?: ConfirmationPrompt,
  nowMs: number = Date.now(),
): Promise<Ending> {
  rejectUnwritableOutput(options);
  const state = findStateFolder(io.env);
  const trimmed: TrimmedFiles = state === undefined ? new Map() : readTrimmedFiles(state);
  const study = options.action === "undo" ? undefined : await studyRecords(options, io, nowMs);
  const context: Context = { options, study, trimmed, io };
  const task: SettingsTask = {
    action: study ? "trim" : "untrim",
    names: options.names,
    buildFront: () => [],
    listTools: (entry, target) =>
      study
        ? adviseEntry(entry, target.client, study).tools
        : listHiddenByTrim(entry, target, trimmed).filter((tool) =>
            passesPatterns(options.tools, tool),
          ),
  };
  const plannedFiles = planFiles(task, context);
  const tellHints = (): void => tellAboutProject(options, task, io);
  const print = (plans: readonly FilePlan[], isDryRun: boolean): Promise<void> =>
    printReport(buildReport(plans, isDryRun, context), plans, context);
  if (options.action !== "propose")
    return confirmAndApply(plannedFiles, { options, task, print, tellHints, prompt }, io);
  await print(plannedFiles.plans, true);
  tellHints();
  return decideEnding(plannedFiles.plans, plannedFiles.unreadFiles, task, io);
}

type TrimmedFiles = ReturnType<typeof readTrimmedFiles>;

type Context = {
  readonly options: TrimOptions;
  readonly io: Io;
  /** Undefined for `--undo`. */
  readonly study: Study | undefined;
  readonly trimmed: TrimmedFiles;
};

type Target = FilePlan["target"];

function listHiddenByTrim(
  entry: PlannedServer["entry"],
  { file }: Target,
  trimmed: TrimmedFiles,
): readonly string[] {
  const key = JSON.stringify(locateEntry(entry));
  return [...(trimmed.get(file)?.hidden.get(key) ?? [])];
}

function planFiles(task: SettingsTask, { options, study, trimmed, io }: Context): Plans {
  if (study) return makePlansWithHint(options, task, io);
  const { clients, file } = options;
  const requestedFile = file === undefined ? undefined : resolveRealPath(resolve(file));
  const targets = [...trimmed]
    .map(([path, { client }]): Target => ({ client, file: path }))
    .filter(({ client }) => clients.length === 0 || clients.includes(client))
    .filter(
      (target) => requestedFile === undefined || resolveRealPath(target.file) === requestedFile,
    )
    .filter((target) => mayExist(target.file));
  return targets.length === 0
    ? { plans: [], unreadFiles: 0 }
    : makePlans(options, task, io, targets);
}

function buildReport(plans: readonly FilePlan[], isDryRun: boolean, context: Context): TrimReport {
  const { options, study } = context;
  const plannedServers = plans.flatMap(({ target, servers }) =>
    servers.map((server) => ({ server, target })),
  );
  const servers = plannedServers.flatMap(({ server, target }) =>
    describeServer(server, target, context),
  );
  const unwrappedNames = plannedServers.flatMap(({ server }) =>
    study && ["direct", "remote"].includes(server.state) ? [formatServerName(server.entry)] : [],
  );
  return {
    schema_version: "1.0",
    action: options.action,
    is_dry_run: isDryRun,
    period: study?.period ?? null,
    servers: servers.toSorted((a, b) => b.month_tokens - a.month_tokens),
    unwrapped: [...new Set(unwrappedNames)],
    total: sumTrim(servers),
  };
}

function describeServer(
  server: PlannedServer,
  target: Target,
  context: Context,
): readonly TrimEntry[] {
  const { entry, state, refusal } = server;
  const { options, study, trimmed } = context;
  if (state !== "changed" && state !== "refused" && (state !== "behind" || !study)) return [];
  const present = new Set(listHidden(entry));
  const hiddenByTrim = listHiddenByTrim(entry, target, trimmed).filter((tool) => present.has(tool));
  const advice = study ? adviseEntry(entry, target.client, study) : emptyAdvice;
  const tools = study
    ? advice.tools
    : hiddenByTrim.filter((tool) => passesPatterns(options.tools, tool));
  const changedState = options.action === "propose" ? "proposed" : "changed";
  return [
    {
      ...advice,
      client: target.client,
      server: formatServerName(entry),
      file: target.file,
      project: findProject(entry),
      tools,
      state: state === "behind" ? advice.state : state === "changed" ? changedState : state,
      reason: refusal === undefined ? advice.reason : describeRefusal(refusal, undefined),
      wanted: advice.wanted.map(([tool, calls]) => {
        return { tool, calls, is_hidden_by_trim: hiddenByTrim.includes(tool) };
      }),
    },
  ];
}

async function printReport(
  report: TrimReport,
  plans: readonly FilePlan[],
  { options, study, io }: Context,
): Promise<void> {
  const { action, format } = options;
  const isProposed = action === "propose" && report.total.tools > 0;
  const nextCommand = ["mcp-meter", ...io.argv, "--apply"].map(quoteShellWord).join(" ");
  const document = buildTrimDocument(report, {
    changes: report.is_dry_run && action !== "propose" ? listFileChanges(plans) : [],
    notes: report.is_dry_run ? [] : describeRestarts(plans),
    home: findHomeFolder(io.env),
    estimateMark: study?.isEstimated === false ? "" : "~",
    prices: study?.pricesOrigin,
    sessionsMin: options.sessionsMin,
    nextCommand: isProposed ? nextCommand : undefined,
  });
  const printout = { document, data: report };
  const target = { ...options, mode: privateReportMode };
  await printOutput((page) => render(format, printout, page), target, io);
}
