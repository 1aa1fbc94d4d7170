import { type ConfiguredEntry, countWordsBeforeServer } from "#clients/configured-entries.ts";
import { type ClientId, clientIds } from "#clients/ids.ts";
import { clients } from "#clients/index.ts";
import { mcpRemote } from "#clients/mcp-remote.ts";
import { quotedCharactersMax } from "#kit/limits.ts";
import { mask, maskSecrets } from "#kit/text/mask-secrets.ts";
import { problemColumnsMax } from "#kit/text/columns.ts";
import { makeSafeName } from "#kit/text/unsafe-text.ts";
import { type Budget, budgetSentences, namesServer } from "#meter/budgets/budget.ts";
import type { Note } from "#screens/renderers/document.ts";
import type { FileChange, WrapReport } from "#screens/renderers/documents/settings/wrap.ts";
import { readWrappedFiles } from "#state/storage/clients/wrap-journal.ts";
import { readWords } from "../parse-command-line.ts";
import { parseBudgetOptions } from "../run/budget-options.ts";
import { runCommand } from "../run/index.ts";
import type { FilePlan, PlannedServer, SettingsTask } from "./plan-file.ts";
import { changeOptions, listOptions } from "./change-entry-options.ts";
import { describeRefusal, remoteTexts, restartTexts, wrapTexts } from "./sentences.ts";

export type WrapTask = SettingsTask & Pick<WrapReport, "action">;

type ReportContext = { readonly isDryRun: boolean; readonly stateFolder: string | undefined };

export function buildWrapReport(
  plans: readonly FilePlan[],
  task: WrapTask,
  { isDryRun, stateFolder }: ReportContext,
): WrapReport {
  const wrappedFiles = stateFolder === undefined ? undefined : readWrappedFiles(stateFolder);
  const servers = plans.flatMap(({ target, servers: planned }) =>
    planned
      .filter((server) => isReported(server, task))
      .map(({ entry, state, refusal, subject, isRemote }) => ({
        client: target.client,
        server: formatServerName(entry),
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
          (state === "behind" && wrappedFiles?.get(target.file)?.servers.get(entry.rawName)) ||
          null,
        options: state === "behind" ? describeOptions(entry) : null,
      })),
  );
  const count = (wanted: string): number => servers.filter(({ state }) => state === wanted).length;
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

// Leaves out the options that `wrap` adds by itself.
function describeOptions(entry: ConfiguredEntry): readonly string[] {
  return listOptions(entry)
    .filter(({ name, value }) => name !== "server" && !(name === "exit-code" && value === "child"))
    .flatMap(({ name, at, length }) =>
      runCommand.options[name]?.isSecret === true
        ? [`--${name}`, mask]
        : entry.words.slice(at, at + length).map((word) => maskSecrets(String(word))),
    )
    .map((word) => makeSafeName(word, quotedCharactersMax));
}

export function formatServerName({ rawName }: ConfiguredEntry): string {
  return makeSafeName(maskSecrets(rawName), quotedCharactersMax);
}

// Claude Code has one `.claude.json` for all projects.
export function findProject({ path }: ConfiguredEntry): string | null {
  const [section, project] = path;
  return section === "projects" && typeof project === "string"
    ? makeSafeName(project, problemColumnsMax)
    : null;
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
  const isAnyLeftOut = servers.some(({ state }) => state === "remote");
  const texts = [
    ...(action === "wrap" && isWrapped ? [remoteTexts.wrapped(mcpRemote)] : []),
    ...(action === "wrap" && isAnyLeftOut ? [remoteTexts.passRemote()] : []),
    ...servers.flatMap(({ entry, keepsMcpRemote }) =>
      keepsMcpRemote ? [remoteTexts.mcpRemoteKept(formatServerName(entry))] : [],
    ),
  ];
  return texts.map((text) => ({ label: "remote", text }));
}

// If the tool of a budget has the name of a server, the user probably meant the server. The budget is still
// valid, because a tool may have the same name as its server.
export function describeServerBudgets(
  plans: readonly FilePlan[],
  flags: readonly string[] = [],
): readonly string[] {
  const servers = plans.flatMap((plan) => plan.servers);
  return readBudgets(flags).flatMap(({ spec, tool }) =>
    servers.some(({ state, entry }) => state === "changed" && namesServer(tool, entry.rawName))
      ? [budgetSentences.budgetMayNameServer(spec, tool ?? "")]
      : [],
  );
}

function readBudgets(words: readonly string[]): readonly Budget[] {
  return parseBudgetOptions(readWords(words, runCommand.options, "run").flags).budgets;
}

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
      return [wrapTexts.budgetsAdded(formatServerName(entry), kept, added)];
    }),
  );
  // Entries of several clients may have the same note.
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
