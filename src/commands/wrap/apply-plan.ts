import { rmSync } from "node:fs";
import { sha256 } from "#kit/os/hash.ts";
import { runExclusively, replaceSettings } from "#state/storage/clients/replace-settings.ts";
import { dropBackups, keepBackup } from "#state/storage/clients/backups.ts";
import {
  writeRemoteNotes,
  readRemoteNotes,
  type RemoteNote,
  locateRemoteNotes,
} from "#state/storage/clients/remote-notes.ts";
import { locateJournal, journalChange } from "#state/storage/clients/wrap-journal.ts";
import type { Tell } from "#kit/text/teller.ts";
import { wrapSentences, type refusalReasons } from "./sentences.ts";
import { type ConfiguredEntry, findEntries } from "#clients/configured-entries.ts";
import { clients } from "#clients/index.ts";
import { findRemoteRule } from "#clients/remote-entry.ts";
import type { ServerState } from "#screens/renderers/documents/settings/wrap.ts";
import {
  type ClientFileFault,
  locateFault,
  readSettings,
} from "#state/storage/clients/client-file.ts";
import type { SettingsFile } from "#state/storage/clients/settings-files.ts";
import { type ChangedLines, findChangedLines } from "#clients/wrapping/change-text.ts";
import { unwrapAll, wrapAll, type WrapFront, findRemoteTexts } from "./change-entries.ts";
import { type RequestedChange, judgeEntry } from "./find-targets.ts";

const replaceAttemptsMax = 3;

/** Plans again, a few times, if the client changed the file. If unwritable, refuses its servers. */
export function applyPlan(
  plan: FilePlan,
  task: SettingsTask,
  stateFolder: string,
  tell: Tell,
): FilePlan {
  return runExclusively(stateFolder, () => applyWithRetries(plan, task, stateFolder, tell));
}

function applyWithRetries(
  plan: FilePlan,
  task: SettingsTask,
  stateFolder: string,
  tell: Tell,
): FilePlan {
  let current: FilePlan = plan;
  for (let attempt = 1; attempt <= replaceAttemptsMax; attempt += 1) {
    const { target, before, after } = current;
    if (after === undefined) return current;
    const notesFault = task.action === "wrap" ? saveRemoteNotes(current, stateFolder) : undefined;
    if (notesFault !== undefined) return refusePlan(current, notesFault, tell);
    const saved = keepBackup(stateFolder, target.file, before);
    if ("fault" in saved)
      return refusePlan(current, wrapSentences.backupFailed(target.file, saved.fault), tell);
    const fault = replaceSettings(target.file, before, after);
    if (fault === undefined) {
      recordChange(current, { task, stateFolder, backup: saved.path }, tell);
      return current;
    }
    if (saved.isNew) rmSync(saved.path, { force: true });
    if (fault !== "changed") {
      return refusePlan(current, wrapSentences.settingsUnwritable(target.file, fault), tell);
    }
    const replanned = planFile(target, task);
    if ("fault" in replanned) {
      return refusePlan(
        current,
        wrapSentences.settingsUnreadable(
          locateFault(`"${target.file}"`, replanned),
          replanned.fault,
        ),
        tell,
      );
    }
    current = replanned;
  }
  return refusePlan(current, wrapSentences.settingsChanged(plan.target.file), tell);
}

/** Saves the notes about remote servers before these are changed. Returns a sentence on failure. */
function saveRemoteNotes(plan: FilePlan, stateFolder: string): string | undefined {
  const { file } = plan.target;
  const fault = writeRemoteNotes(stateFolder, file, mergeNotes(plan, stateFolder));
  const path = locateRemoteNotes(stateFolder, file);
  return fault === undefined ? undefined : wrapSentences.remoteNotesFailed(path, file, fault);
}

function mergeNotes(
  { target, servers, notes }: FilePlan,
  stateFolder: string,
): readonly RemoteNote[] {
  const changed = new Set(
    servers.flatMap(({ entry, state }) =>
      state === "changed" ? [JSON.stringify(entry.path)] : [],
    ),
  );
  const isChanged = ({ path }: RemoteNote): boolean => changed.has(JSON.stringify(path));
  const others = readRemoteNotes(stateFolder, target.file).filter((note) => !isChanged(note));
  return [...others, ...notes.filter(isChanged)];
}

function refusePlan(plan: FilePlan, sentence: string, tell: Tell): FilePlan {
  tell(sentence);
  const servers = plan.servers.map((server) =>
    server.state === "changed"
      ? { ...server, state: "refused" as const, refusal: "unwritable" as const }
      : server,
  );
  return { ...plan, servers, after: undefined };
}

// Backups of restored bytes are useless, and may contain secrets.
function recordChange(
  plan: FilePlan,
  {
    task,
    stateFolder,
    backup,
  }: { readonly task: SettingsTask; readonly stateFolder: string; readonly backup: string },
  tell: Tell,
): void {
  const { target, servers, before, after = before } = plan;
  const action = task.action === "unwrap" ? "unwrap" : "wrap";
  if (action === "unwrap")
    writeRemoteNotes(stateFolder, target.file, mergeNotes(plan, stateFolder));
  const isRestored = action === "unwrap" && dropBackups(stateFolder, target.file, after);
  const names = servers.flatMap(({ entry, state }) => (state === "changed" ? [entry.rawName] : []));
  const fault = journalChange(stateFolder, {
    at: new Date().toISOString(),
    action,
    client: target.client,
    file: target.file,
    servers: names,
    sha256_before: sha256(before),
    sha256_after: sha256(after),
    backup: isRestored ? null : backup,
  });
  if (fault !== undefined) tell(wrapSentences.journalFailed(locateJournal(stateFolder), fault));
}

export type SettingsTask = WrapFront & {
  readonly action: RequestedChange["action"];
  readonly names: readonly string[];
  readonly withRemote?: boolean;
  readonly notesFor?: (file: string) => readonly RemoteNote[];
};

export type PlannedServer = {
  readonly entry: ConfiguredEntry;
  readonly state: ServerState;
  readonly refusal: keyof typeof refusalReasons | undefined;
  readonly subject: string | undefined;
  /** True if the client reaches the server by a URL, or did before it was wrapped. */
  readonly isRemote: boolean;
  /** True if the server was remote, and starts mcp-remote even after mcp-meter is taken out. */
  readonly isLocal: boolean;
};

export type FilePlan = {
  readonly target: SettingsFile;
  readonly servers: readonly PlannedServer[];
  readonly knownNames: readonly string[];
  readonly before: Uint8Array;
  readonly after: Uint8Array | undefined;
  readonly lines: readonly ChangedLines[];
  readonly notes: readonly RemoteNote[];
};

export function planFile(target: SettingsFile, task: SettingsTask): FilePlan | ClientFileFault {
  const client = clients[target.client];
  const read = readSettings(target.file, client.language);
  if ("fault" in read) return read;
  const { names, action, flags, withRemote = false } = task;
  const notes = task.notesFor?.(target.file) ?? [];
  const isNamed = names.length > 0;
  const entries = findEntries(client, read.value);
  const chosen = entries.filter(({ rawName }) => !isNamed || names.includes(rawName));
  const judged = chosen.map(
    (entry) => [entry, judgeEntry(entry, { action, isNamed, flags, withRemote })] as const,
  );
  const changing = judged.flatMap(([entry, state]) => (state === "changed" ? [entry] : []));
  const file = { text: read.text, language: client.language, client: target.client, notes };
  const change = action === "unwrap" ? unwrapAll(file, changing) : wrapAll(file, changing, task);
  const rule = findRemoteRule(target.client);
  const servers = judged.map(([entry, state]) => {
    const isRemote =
      entry.form === undefined || (rule && findRemoteTexts(entry, notes, rule)) !== undefined;
    const facts = { entry, isRemote, isLocal: change.local.has(entry) };
    const fault = change.refused.get(entry);
    if (fault === undefined) return { ...facts, state, refusal: undefined, subject: undefined };
    const subject = "subject" in fault ? fault.subject : undefined;
    return { ...facts, state: "refused" as const, refusal: fault.refusal, subject };
  });
  const { edits } = change;
  const after = edits.length === 0 ? undefined : new TextEncoder().encode(read.mark + change.text);
  const knownNames = entries.map(({ rawName }) => rawName);
  const lines = findChangedLines(file, edits);
  return { target, servers, knownNames, before: read.bytes, after, lines, notes: change.notes };
}
