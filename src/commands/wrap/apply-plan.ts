import { rmSync } from "node:fs";
import { sha256 } from "#kit/os/hash.ts";
import { runUnderLock, replaceSettings } from "#state/storage/clients/replace-settings.ts";
import { dropBackups, keepBackup } from "#state/storage/clients/backups.ts";
import {
  writeRemoteNotes,
  readRemoteNotes,
  type RemoteNote,
  locateRemoteNotes,
} from "#state/storage/clients/remote-notes.ts";
import {
  journalChange,
  locateEntry,
  locateJournal,
  type JournalNote,
} from "#state/storage/clients/wrap-journal.ts";
import type { Tell } from "#kit/text/teller.ts";
import { wrapSentences } from "./sentences.ts";
import type { ConfiguredEntry } from "#clients/configured-entries.ts";
import { locateFault } from "#state/storage/clients/read-settings.ts";
import type { SettingsFile } from "#state/storage/clients/find-settings.ts";
import { listHidden } from "./change-entry-options.ts";
import { type FilePlan, findTools, planFile, type SettingsTask } from "./plan-file.ts";

const replaceAttemptsMax = 3;

/** Plans again if another program changed the file meanwhile. */
export function applyPlan(
  plan: FilePlan,
  task: SettingsTask,
  stateFolder: string,
  tell: Tell,
): FilePlan {
  return runUnderLock(stateFolder, () => {
    let current: FilePlan = plan;
    for (let attempt = 1; attempt <= replaceAttemptsMax; attempt += 1) {
      const { target, before, after } = current;
      if (after === undefined) return current;
      const notesFault = saveNotes(current, task, stateFolder);
      if (notesFault !== undefined) return refusePlan(current, notesFault, tell);
      const backup = keepBackup(stateFolder, target.file, before);
      if ("fault" in backup)
        return refusePlan(current, wrapSentences.backupFailed(target.file, backup.fault), tell);
      const fault = replaceSettings(target.file, before, after);
      if (fault === undefined) {
        recordChange(current, { task, stateFolder, backup: backup.path }, tell);
        return current;
      }
      if (backup.isNew) rmSync(backup.path, { force: true });
      if (fault !== "changed") {
        return refusePlan(current, wrapSentences.settingsUnwritable(target.file, fault), tell);
      }
      const newPlan = planFile(target, task);
      if ("fault" in newPlan) {
        const place = locateFault(`"${target.file}"`, newPlan);
        return refusePlan(current, wrapSentences.settingsUnreadable(place, newPlan.fault), tell);
      }
      current = newPlan;
    }
    return refusePlan(current, wrapSentences.settingsChanged(plan.target.file), tell);
  });
}

/** Before a change, saves the notes that are needed to undo it. Returns a sentence on failure. */
function saveNotes(plan: FilePlan, task: SettingsTask, stateFolder: string): string | undefined {
  const { file } = plan.target;
  if (task.action === "trim") {
    const fault = journalPlan(plan, { task, stateFolder, backup: null });
    const journal = locateJournal(stateFolder);
    return fault === undefined ? undefined : wrapSentences.trimUnjournaled(journal, file, fault);
  }
  if (task.action !== "wrap") return undefined;
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

type SavedChange = {
  readonly task: SettingsTask;
  readonly stateFolder: string;
  readonly backup: string | null;
};

function recordChange(plan: FilePlan, change: SavedChange, tell: Tell): void {
  const { task, stateFolder, backup } = change;
  const { target, before, after = before } = plan;
  // For `trim`, `saveNotes` has already written the journal.
  if (task.action === "trim") return;
  const isUnwrapped = task.action === "unwrap";
  if (isUnwrapped) writeRemoteNotes(stateFolder, target.file, mergeNotes(plan, stateFolder));
  // A backup is useless after its bytes are restored, and it may contain secrets.
  const isRestored = isUnwrapped && dropBackups(stateFolder, target.file, after);
  const fault = journalPlan(plan, { ...change, backup: isRestored ? null : backup });
  if (fault !== undefined) tell(wrapSentences.journalFailed(locateJournal(stateFolder), fault));
}

function journalPlan(
  { target, servers, before, after = before }: FilePlan,
  { task, stateFolder, backup }: SavedChange,
): string | undefined {
  const changed = servers.flatMap(({ entry, state }) => (state === "changed" ? [entry] : []));
  return journalChange(stateFolder, {
    at: new Date().toISOString(),
    action: task.action === "list" ? "wrap" : task.action,
    client: target.client,
    file: target.file,
    servers: changed.map(({ rawName }) => rawName),
    ...collectHidden(changed, task, target),
    sha256_before: sha256(before),
    sha256_after: sha256(after),
    backup,
  });
}

// `trim --undo` must know which `--hide` options trim has written: the user may have written some as well.
function collectHidden(
  entries: readonly ConfiguredEntry[],
  task: SettingsTask,
  target: SettingsFile,
): Pick<JournalNote, "hidden"> {
  const hidden = entries.flatMap((entry) => {
    const tools = task.action === "unwrap" ? listHidden(entry) : findTools(entry, task, target);
    return tools.length === 0 ? [] : [{ entry: locateEntry(entry), tools }];
  });
  return hidden.length === 0 ? {} : { hidden };
}
