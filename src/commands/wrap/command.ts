import { resolve } from "node:path";
import { exitCodes, UserError } from "#kit/errors.ts";
import type { Ending, Io } from "#kit/io.ts";
import { findCurrentExecutable } from "#kit/os/current-executable.ts";
import {
  buildWrapDocument,
  type FileChange,
  type WrapReport,
} from "#screens/renderers/documents/settings/wrap.ts";
import { render } from "#screens/renderers/index.ts";
import { locateFault } from "#state/storage/clients/read-settings.ts";
import { readRemoteNotes, type RemoteNote } from "#state/storage/clients/remote-notes.ts";
import { readJournaledFiles } from "#state/storage/clients/wrap-journal.ts";
import { findHomeFolder, findStateFolder } from "#state/storage/folders.ts";
import { privateReportMode } from "#state/storage/report-file.ts";
import { findNearestName } from "#kit/text/match-names.ts";
import { quoteShellWord, makeSafeName } from "#kit/text/unsafe-text.ts";
import { Teller } from "#kit/text/teller.ts";
import { budgetSentences, type Budget, namesServer } from "#meter/budgets/budget.ts";
import { parseBudgetOptions } from "../run/budget-options.ts";
import { runCommand } from "../run/index.ts";
import { readWords } from "../parse-words.ts";
import { printOutput, rejectMissingFolder } from "../output/output-options.ts";
import { hasProjectSettings, rejectClientsWithoutServers } from "../profile/configured-servers.ts";
import {
  type ConfirmationPrompt,
  confirmAndApply,
  decideEnding,
  type FilePlan,
  planFile,
  type PlannedServer,
  type Plans,
  refuseWrapped,
  type SettingsTask,
} from "./apply-plan.ts";
import {
  buildFrontWords,
  changeOptions,
  describeOptions,
  findMeterCommand,
  findProject,
  listOptions,
} from "./change-entries.ts";
import { rejectUnusableBudgets, findTargets } from "./find-targets.ts";
import type { Selection, WrapOptions } from "./options.ts";
import { printLines } from "./print-lines.ts";
import {
  wrapSentences,
  describeRefusal,
  remoteTexts,
  restartTexts,
  wrapTexts,
} from "./sentences.ts";
import { type ConfiguredEntry, countWordsBeforeServer } from "#clients/configured-entries.ts";
import { type ClientId, clientIds } from "#clients/ids.ts";
import { clients } from "#clients/index.ts";
import { mcpRemote } from "#clients/remote-rules.ts";
import { quotedCharactersMax } from "#kit/limits.ts";
import type { Note } from "#screens/renderers/document.ts";
import { maskSecrets } from "#kit/text/mask-secrets.ts";

export async function wrap(
  options: WrapOptions,
  io: Io,
  prompt?: ConfirmationPrompt,
): Promise<Ending> {
  const { action, names, flags, includesRemote } = options;
  if (action === "list")
    return changeSettings({ ...options, isDryRun: true }, makeListTask(names, io), io, prompt);
  await rejectUnusableBudgets(flags, io);
  const command = findMeterCommand(
    io.env["PATH"],
    io.validatorCommand[0] ?? findCurrentExecutable(),
  );
  const task: WrapTask = {
    action: "wrap",
    names,
    buildFront: (rawName) => buildFrontWords(command, rawName, flags),
    includesRemote,
    notesFor: createNotesReader(io),
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
  const { names } = options;
  const task: WrapTask = {
    action: "unwrap",
    names,
    buildFront: () => [],
    notesFor: createNotesReader(io),
  };
  return changeSettings(options, task, io, prompt);
}

export type WrapTask = SettingsTask & Pick<WrapReport, "action">;

function makeListTask(names: readonly string[], io: Io): WrapTask {
  return { action: "list", names, buildFront: () => [], notesFor: createNotesReader(io) };
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
  rejectMissingFolder(options);
  const planned = makePlansOrTell(options, task, io);
  const print = (plans: readonly FilePlan[], isDryRun: boolean): Promise<void> =>
    printPlans(plans, { options, task, isDryRun }, io);
  const tellHints = (): void => {
    tellAboutWrapped(planned.plans, task, io);
    tellAboutProject(options, task, io);
    describeServerBudgets(planned.plans, task.flags).forEach(new Teller(io.stderr).tell);
  };
  return confirmAndApply(planned, { options, task, print, tellHints, prompt }, io);
}

// The servers that the user expects may be in the settings of the project.
export function makePlansOrTell(...[options, task, io]: Parameters<typeof makePlans>): Plans {
  try {
    return makePlans(options, task, io);
  } catch (error) {
    tellAboutProject(options, task, io);
    throw error;
  }
}

// Options that are not repeated stay in the entry.
function tellAboutWrapped(plans: readonly FilePlan[], task: SettingsTask, io: Io): void {
  const servers = plans.flatMap((plan) => plan.servers);
  const isOnlyBehind = servers.every(({ state }) => state === "behind");
  if (task.action !== "wrap" || task.names.length === 0 || !isOnlyBehind) return;
  const unwrapping = ["mcp-meter", "unwrap", ...task.names.map(quoteShellWord), "--yes"];
  new Teller(io.stderr).tell(wrapSentences.wrapAgain(unwrapping.join(" ")));
}

// Other people share the settings of a project, so these are never changed unasked.
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

// The tools of a server are not known yet, and one may have the server's name.
export function describeServerBudgets(
  plans: readonly FilePlan[],
  flags: readonly string[] = [],
): readonly string[] {
  const changed = plans.flatMap(({ servers }) =>
    servers.filter(({ state }) => state === "changed"),
  );
  return readBudgets(flags).flatMap(({ spec, tool }) =>
    changed.some(({ entry }) => namesServer(tool, entry.rawName))
      ? [budgetSentences.budgetMayNameServer(spec, tool ?? "")]
      : [],
  );
}

function readBudgets(words: readonly string[] = []): readonly Budget[] {
  return parseBudgetOptions(readWords(words, runCommand.options, "run").flags).budgets;
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
    } else plans.push(refuseWrapped(plan, task));
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

export function buildWrapReport(
  plans: readonly FilePlan[],
  task: WrapTask,
  options: { readonly isDryRun: boolean; readonly stateFolder: string | undefined },
): WrapReport {
  const { isDryRun, stateFolder } = options;
  const journal = stateFolder === undefined ? undefined : readJournaledFiles(stateFolder);
  const servers = plans.flatMap(({ target, servers: planned }) =>
    planned
      .filter((server) => isReported(server, task))
      .map(({ entry, state, refusal, subject, isRemote }) => ({
        client: target.client,
        server: makeSafeName(maskSecrets(entry.rawName), quotedCharactersMax),
        file: target.file,
        project: findProject(entry),
        state,
        is_remote: isRemote,
        adds_options: state === "changed" && addsOptions(entry, task),
        reason:
          refusal === undefined
            ? null
            : describeRefusal(refusal, subject && makeSafeName(subject, quotedCharactersMax)),
        since:
          (state === "behind" && journal?.get(target.file)?.servers.get(entry.rawName)) || null,
        options: state === "behind" ? describeOptions(entry) : null,
      })),
  );
  const count = (counted: string): number =>
    servers.filter(({ state }) => state === counted).length;
  return {
    schema_version: "1.0",
    action: task.action,
    is_dry_run: isDryRun,
    servers,
    changed: count("changed"),
    refused: count("refused"),
  };
}

function isReported({ state }: PlannedServer, { action, names }: SettingsTask): boolean {
  return action !== "unwrap" || names.length > 0 || state === "changed" || state === "refused";
}

export function listFileChanges(plans: readonly FilePlan[]): readonly FileChange[] {
  return plans.flatMap(({ target, lines }) =>
    lines.length === 0 ? [] : [{ file: target.file, lines }],
  );
}

export function describeRemotes(
  plans: readonly FilePlan[],
  { action }: SettingsTask,
): readonly Note[] {
  const servers = plans.flatMap((plan) => plan.servers);
  const isWrapped = servers.some(({ state, isRemote }) => state === "changed" && isRemote);
  const isAnySkipped = servers.some(({ state }) => state === "remote");
  const texts = [
    ...(action === "wrap" && isWrapped ? [remoteTexts.wrapped(mcpRemote)] : []),
    ...(action === "wrap" && isAnySkipped ? [remoteTexts.passRemote()] : []),
    ...servers.flatMap(({ entry, keepsMcpRemote }) =>
      keepsMcpRemote
        ? [remoteTexts.mcpRemoteKept(makeSafeName(maskSecrets(entry.rawName), quotedCharactersMax))]
        : [],
    ),
  ];
  return texts.map((text) => ({ label: "remote", text }));
}

// Lists a note once, even if entries of several clients have it.
export function describeAddedBudgets(
  plans: readonly FilePlan[],
  task: SettingsTask,
): readonly Note[] {
  const notes = plans.flatMap(({ servers }) =>
    servers.flatMap(({ entry, state }) => {
      if (state !== "changed" || !addsOptions(entry, task)) return [];
      const change = changeOptions(entry, task.flags);
      if (typeof change === "string") return [];
      const added = readBudgets(change.front);
      const kept = listOptions(entry)
        .filter(({ name, at }) => name === "budget" && !change.dropped.includes(at))
        .flatMap(({ value }) => readBudgets(["--budget", value]));
      if (kept.length === 0 || added.length === 0) return [];
      const server = makeSafeName(maskSecrets(entry.rawName), quotedCharactersMax);
      return [wrapTexts.budgetsAdded(server, kept, added)];
    }),
  );
  return [...new Set(notes)].map((text) => ({ label: "budgets", text }));
}

function addsOptions({ words }: ConfiguredEntry, { action }: SettingsTask): boolean {
  return action === "wrap" && countWordsBeforeServer(words) !== undefined;
}

export function describeRestarts(plans: readonly FilePlan[]): readonly Note[] {
  const changed = plans.filter(({ after }) => after !== undefined);
  const ids = new Set<ClientId>(changed.map(({ target }) => target.client));
  return clientIds
    .filter((id) => ids.has(id))
    .map((id) => ({ label: id, text: restartTexts[clients[id].restartTarget](clients[id].name) }));
}
