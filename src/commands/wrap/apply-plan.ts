import { rmSync } from "node:fs";
import { sha256 } from "#kit/os/sha256.ts";
import { dropBackups, keepBackup } from "#state/storage/clients/backups.ts";
import { oneAtATime } from "#state/storage/clients/one-at-a-time.ts";
import {
  keepRemoteNotes,
  readRemoteNotes,
  type RemoteNote,
  remoteNotesPath,
} from "#state/storage/clients/remote-notes.ts";
import { replaceSettings } from "#state/storage/clients/replace-settings.ts";
import { journalPath, noteChange } from "#state/storage/clients/wrap-journal.ts";
import type { Tell } from "#kit/text/teller.ts";
import { type FilePlan, planFile, type Task } from "./plan-file.ts";
import { wrapSentences } from "./sentences.ts";

// Its client may write the file meanwhile.
const replaceAttemptsMax = 3;

/**
 * Writes the planned change of a file: backup, replacement, journal. A file that changed since it was read is planned again, a few
 * times. Prints why it was not written, and gives the plan with its servers refused.
 */
export function applyPlan(plan: FilePlan, task: Task, state: string, tell: Tell): FilePlan {
  return oneAtATime(state, () => applyAlone(plan, task, state, tell));
}

function applyAlone(plan: FilePlan, task: Task, state: string, tell: Tell): FilePlan {
  let current: FilePlan = plan;
  for (let attempt = 1; attempt <= replaceAttemptsMax; attempt += 1) {
    const { target, before, after } = current;
    if (after === undefined) return current;
    const lost = task.action === "wrap" ? keepWayBack(current, state) : undefined;
    if (lost !== undefined) return refuse(current, lost, tell);
    const kept = keepBackup(state, target.file, before);
    if ("fault" in kept)
      return refuse(current, wrapSentences.backupFailed(target.file, kept.fault), tell);
    const fault = replaceSettings(target.file, before, after);
    if (fault === undefined) {
      finish(current, { task, state, backup: kept.backup }, tell);
      return current;
    }
    // Nothing was replaced: the copy is of no use.
    if (kept.isNew) rmSync(kept.backup, { force: true });
    if (fault !== "changed") {
      return refuse(current, wrapSentences.settingsUnwritable(target.file, fault), tell);
    }
    const again = planFile(target, task);
    if ("fault" in again) {
      return refuse(
        current,
        wrapSentences.settingsUnreadable(target.file, again.line, again.fault),
        tell,
      );
    }
    current = again;
  }
  return refuse(current, wrapSentences.settingsChanged(plan.target.file), tell);
}

/** Keeps the notes about remote servers before these are changed. Gives a sentence when they cannot be written. */
function keepWayBack(plan: FilePlan, state: string): string | undefined {
  const { file } = plan.target;
  const fault = keepRemoteNotes(state, file, notesAfter(plan, state));
  const path = remoteNotesPath(state, file);
  return fault === undefined ? undefined : wrapSentences.remoteNotesFailed(path, file, fault);
}

function notesAfter({ target, servers, notes }: FilePlan, state: string): readonly RemoteNote[] {
  const changed = new Set(
    servers.flatMap(({ entry, state: one }) =>
      one === "changed" ? [JSON.stringify(entry.path)] : [],
    ),
  );
  const isChanged = ({ path }: RemoteNote): boolean => changed.has(JSON.stringify(path));
  const others = readRemoteNotes(state, target.file).filter((note) => !isChanged(note));
  return [...others, ...notes.filter(isChanged)];
}

function refuse(plan: FilePlan, sentence: string, tell: Tell): FilePlan {
  tell(sentence);
  const servers = plan.servers.map((server) =>
    server.state === "changed"
      ? { ...server, state: "refused" as const, refusal: "unwritable" as const }
      : server,
  );
  return { ...plan, servers, after: undefined };
}

/** Backups of bytes that are there again are of no use, and may hold secrets. */
function finish(
  plan: FilePlan,
  { task, state, backup }: { readonly task: Task; readonly state: string; readonly backup: string },
  tell: Tell,
): void {
  const { target, servers, before, after = before } = plan;
  const action = task.action === "unwrap" ? "unwrap" : "wrap";
  // They are of no use any more, and do no harm.
  if (action === "unwrap") keepRemoteNotes(state, target.file, notesAfter(plan, state));
  const isRestored = action === "unwrap" && dropBackups(state, target.file, after);
  const names = servers.flatMap(({ entry, state: one }) =>
    one === "changed" ? [entry.rawName] : [],
  );
  const fault = noteChange(state, {
    at: new Date().toISOString(),
    action,
    client: target.client,
    file: target.file,
    servers: names,
    sha256_before: sha256(before),
    sha256_after: sha256(after),
    backup: isRestored ? null : backup,
  });
  if (fault !== undefined) tell(wrapSentences.journalFailed(journalPath(state), fault));
}
