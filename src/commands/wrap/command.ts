import { findMeterWord } from "#clients/configured-entries.ts";
import { resolveRealPath } from "#kit/os/open-file.ts";
import { resolve } from "node:path";
import { exitCodes, UserError } from "#kit/errors.ts";
import type { Ending, Io } from "#kit/io.ts";
import { findCurrentExecutable, findProgramOnPath } from "#kit/os/current-executable.ts";
import { findNearestName } from "#kit/text/match-names.ts";
import { Teller } from "#kit/text/teller.ts";
import { quoteShellWord } from "#kit/text/unsafe-text.ts";
import { buildWrapDocument } from "#screens/renderers/documents/settings/wrap.ts";
import { render } from "#screens/renderers/index.ts";
import { locateFault } from "#state/storage/clients/read-settings.ts";
import { readRemoteNotes, type RemoteNote } from "#state/storage/clients/remote-notes.ts";
import { findHomeFolder, findStateFolder } from "#state/storage/folders.ts";
import { privateReportMode } from "#state/storage/report-file.ts";
import { printOutput, rejectUnwritableOutput } from "../output/output-options.ts";
import { hasProjectSettings, rejectClientsWithoutServers } from "../profile/configured-servers.ts";
import {
  confirmAndApply,
  type ConfirmationPrompt,
  decideEnding,
  type Plans,
} from "./confirm-changes.ts";
import {
  type FilePlan,
  planFile,
  refuseImpossibleChanges,
  type SettingsTask,
} from "./plan-file.ts";
import { buildFrontWords } from "./change-entry-options.ts";
import { rejectUnusableOptions } from "./configured-limits.ts";
import { findTargets } from "./find-targets.ts";
import type { Selection, WrapOptions } from "./options.ts";
import { printLines } from "./print-lines.ts";
import { wrapSentences } from "./sentences.ts";
import {
  buildWrapReport,
  describeAddedBudgets,
  describeRemotes,
  describeRestarts,
  describeServerBudgets,
  listFileChanges,
  type WrapTask,
} from "./wrap-report.ts";

export async function wrap(
  options: WrapOptions,
  io: Io,
  prompt?: ConfirmationPrompt,
): Promise<Ending> {
  const { action, names, flags, includesRemote } = options;
  if (action === "list") {
    const listTask = makeTaskWithoutFront(action, options, io);
    return changeSettings({ ...options, isDryRun: true }, listTask, io, prompt);
  }
  await rejectUnusableOptions(flags, io);
  const command = findMeterCommand(
    io.env["PATH"],
    io.validatorCommand[0] ?? findCurrentExecutable(),
  );
  const task: WrapTask = {
    action: "wrap",
    names,
    buildFront: (rawName) => buildFrontWords(command, rawName, flags),
    includesRemote,
    readNotes: createNotesReader(io),
    flags,
  };
  if (action === "wrap") return changeSettings(options, task, io, prompt);
  const { plans, unreadFiles } = makePlans(options, task, io);
  describeServerBudgets(plans, task.flags).forEach(new Teller(io.stderr).tell);
  printLines(plans, task, options, io);
  return decideEnding(plans, unreadFiles, task, io);
}

export async function unwrap(
  options: Selection,
  io: Io,
  prompt?: ConfirmationPrompt,
): Promise<Ending> {
  return changeSettings(options, makeTaskWithoutFront("unwrap", options, io), io, prompt);
}

function makeTaskWithoutFront(action: "list" | "unwrap", { names }: Selection, io: Io): WrapTask {
  return { action, names, buildFront: () => [], readNotes: createNotesReader(io) };
}

function createNotesReader({ env }: Io): (file: string) => readonly RemoteNote[] {
  const state = findStateFolder(env);
  return (file) => (state === undefined ? [] : readRemoteNotes(state, file));
}

async function changeSettings(
  options: Selection,
  task: WrapTask,
  io: Io,
  prompt: ConfirmationPrompt | undefined,
): Promise<Ending> {
  rejectUnwritableOutput(options);
  const planned = makePlansWithHint(options, task, io);
  const print = (plans: readonly FilePlan[], isDryRun: boolean): Promise<void> =>
    printPlans(plans, { options, task, isDryRun }, io);
  const tellHints = (): void => {
    tellAboutWrapped(planned.plans, task, io);
    tellAboutProject(options, task, io);
    describeServerBudgets(planned.plans, task.flags).forEach(new Teller(io.stderr).tell);
  };
  return confirmAndApply(planned, { options, task, print, tellHints, prompt }, io);
}

// If planning fails, also mentions the project's settings: a server that was not found may be configured there.
export function makePlansWithHint(options: Selection, task: SettingsTask, io: Io): Plans {
  try {
    return makePlans(options, task, io);
  } catch (error) {
    tellAboutProject(options, task, io);
    throw error;
  }
}

// Wrapping a server again cannot remove an option, so a note recommends running `unwrap` first.
function tellAboutWrapped(plans: readonly FilePlan[], task: SettingsTask, io: Io): void {
  const servers = plans.flatMap((plan) => plan.servers);
  const areAllBehind = servers.every(({ state }) => state === "behind");
  if (task.action !== "wrap" || task.names.length === 0 || !areAllBehind) return;
  const unwrapping = ["mcp-meter", "unwrap", ...task.names.map(quoteShellWord), "--yes"];
  new Teller(io.stderr).tell(wrapSentences.wrapAgain(unwrapping.join(" ")));
}

// Other people may share the settings of a project, so such settings are wrapped only on request.
export function tellAboutProject(
  { project, file }: Selection,
  { action }: SettingsTask,
  io: Io,
): void {
  const isChosen =
    project !== undefined || file !== undefined || action === "unwrap" || action === "untrim";
  if (isChosen || !hasProjectSettings(resolve("."), io)) return;
  new Teller(io.stderr).tell(wrapSentences.wrapProjectIgnored());
}

export function makePlans(
  options: Selection,
  task: SettingsTask,
  io: Io,
  targets = findTargets({ ...options, action: task.action }, io),
): Plans {
  const { tell } = new Teller(io.stderr);
  const plans: FilePlan[] = [];
  let unreadFiles = 0;
  for (const target of targets) {
    const plan = planFile(target, task);
    if ("fault" in plan) {
      unreadFiles += 1;
      tell(wrapSentences.settingsUnreadable(locateFault(`"${target.file}"`, plan), plan.fault));
    } else plans.push(refuseImpossibleChanges(plan, task));
  }
  rejectUnknownNames(plans, options.names);
  const isEmpty = plans.every(({ servers }) => servers.length === 0);
  if (isEmpty && unreadFiles === 0 && options.file === undefined)
    rejectClientsWithoutServers(options, io);
  if (isEmpty && unreadFiles === 0)
    throw new UserError(wrapSentences.wrapNoServers(), exitCodes.failed);
  return { plans, unreadFiles };
}

function rejectUnknownNames(plans: readonly FilePlan[], names: readonly string[]): void {
  const known = plans.flatMap((plan) => plan.knownNames);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const sentence = wrapSentences.wrapServerUnknown(unknown, findNearestName(unknown, known));
  throw new UserError(sentence, exitCodes.failed);
}

async function printPlans(
  plans: readonly FilePlan[],
  { options, task, isDryRun }: { options: Selection; task: WrapTask; isDryRun: boolean },
  io: Io,
): Promise<void> {
  const report = buildWrapReport(plans, task, { isDryRun, stateFolder: findStateFolder(io.env) });
  const changes = isDryRun ? listFileChanges(plans) : [];
  const notes = [
    ...describeRemotes(plans, task),
    ...describeAddedBudgets(plans, task),
    ...(isDryRun ? [] : describeRestarts(plans)),
  ];
  const home = findHomeFolder(io.env);
  const document = buildWrapDocument(report, changes, { notes, home });
  const printout = { document, data: report };
  const target = { ...options, mode: privateReportMode };
  await printOutput((page) => render(options.format, printout, page), target, io);
}

const cachePattern = /[/\\](?:_npx|bunx-[^/\\]*|pnpm(?:-cache)?[/\\]dlx|dlx-\d+)[/\\]/;

// If this program is on the PATH, returns its path there, which survives upgrades. Throws UserError for a
// path that `unwrap` would not recognize, or that will not last.
export function findMeterCommand(path: string | undefined, executable: string): string {
  const found = findProgramOnPath("mcp-meter", path);
  const command =
    found !== undefined && resolveRealPath(found) === resolveRealPath(executable)
      ? found
      : findLastingPath(executable);
  if (findMeterWord([command]) === undefined)
    throw makeRefusal(wrapSentences.wrapNameUnknown(command));
  if (cachePattern.test(command)) throw makeRefusal(wrapSentences.wrapFromCache(command));
  return command;
}

// pnpm installs mcp-meter under a path with a version, and makes a link under a path without a version.
function findLastingPath(executable: string): string {
  const link = executable.replace(/([/\\]\.pnpm[/\\])[^/\\]+[/\\](?=node_modules[/\\])/, "$1");
  return resolveRealPath(link) === resolveRealPath(executable) ? link : executable;
}

function makeRefusal(sentence: string): UserError {
  return new UserError(sentence, exitCodes.failed);
}
