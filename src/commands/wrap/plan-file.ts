import { type ConfiguredEntry, entriesIn } from "#clients/entries-in.ts";
import { clients } from "#clients/index.ts";
import { remoteRule } from "#clients/remote-rules.ts";
import type { ServerState } from "#screens/renderers/documents/settings/wrap.ts";
import type { ClientFileFault } from "#state/storage/clients/client-file.ts";
import type { SettingsFile } from "#state/storage/clients/settings-files.ts";
import { readSettings } from "#state/storage/clients/settings-text.ts";
import type { RemoteNote } from "#state/storage/clients/remote-notes.ts";
import { type ChangedLines, changedLines } from "#clients/wrapping/changed-lines.ts";
import { unwrapAll, wrapAll, type WrappingWays } from "./change-entries.ts";
import { type WantedChange, judgeEntry } from "./judge-entry.ts";
import { remoteWayBack, servedWayBack } from "./remote-way-back.ts";
import { type refusalReasons } from "./sentences.ts";

export type Task = WrappingWays & {
  readonly action: WantedChange["action"];
  readonly names: readonly string[];
  readonly flags?: readonly string[];
  readonly withRemote?: boolean;
  readonly notesFor?: (file: string) => readonly RemoteNote[];
};

export type PlannedServer = {
  readonly entry: ConfiguredEntry;
  readonly state: ServerState;
  readonly refusal: keyof typeof refusalReasons | undefined;
  readonly subject: string | undefined;
  /** True for an entry that its client reaches by a URL, or did before it was put behind mcp-meter. */
  readonly isRemote: boolean;
  /** True for one that was remote, and stays an entry of mcp-remote when mcp-meter is taken out. */
  readonly isLocal: boolean;
};

export type FilePlan = {
  readonly target: SettingsFile;
  readonly servers: readonly PlannedServer[];
  readonly known: readonly string[];
  readonly before: Uint8Array;
  readonly after: Uint8Array | undefined;
  readonly lines: readonly ChangedLines[];
  readonly notes: readonly RemoteNote[];
};

export function planFile(target: SettingsFile, task: Task): FilePlan | ClientFileFault {
  const client = clients[target.client];
  const read = readSettings(target.file, client.form);
  if ("fault" in read) return read;
  const { names, action, withRemote = false } = task;
  const notes = task.notesFor?.(target.file) ?? [];
  const isNamed = names.length > 0;
  const entries = entriesIn(client, read.value);
  const chosen = entries.filter(({ rawName }) => !isNamed || names.includes(rawName));
  const judged = chosen.map((entry) => {
    const isServed = servedWayBack(entry, notes) !== undefined;
    return [entry, judgeEntry(entry, { action, isNamed, withRemote, isServed })] as const;
  });
  const changing = judged.flatMap(([entry, state]) => (state === "changed" ? [entry] : []));
  const file = { text: read.text, language: client.form, client: target.client, notes };
  const change = action === "unwrap" ? unwrapAll(file, changing) : wrapAll(file, changing, task);
  const rule = remoteRule(target.client);
  const servers = judged.map(([entry, state]) => {
    const isRemote =
      entry.form === undefined || (rule && remoteWayBack(entry, notes, rule)) !== undefined;
    const facts = { entry, isRemote, isLocal: change.local.has(entry) };
    const fault = change.refused.get(entry);
    if (fault === undefined) return { ...facts, state, refusal: undefined, subject: undefined };
    const subject = "subject" in fault ? fault.subject : undefined;
    return { ...facts, state: "refused" as const, refusal: fault.refusal, subject };
  });
  const { edits } = change;
  const after = edits.length === 0 ? undefined : new TextEncoder().encode(read.mark + change.text);
  const known = entries.map(({ rawName }) => rawName);
  const lines = changedLines(read.text, edits);
  return { target, servers, known, before: read.bytes, after, lines, notes: change.notes };
}
