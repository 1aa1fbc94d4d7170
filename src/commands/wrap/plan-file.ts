import {
  type ConfiguredEntry,
  countWordsBeforeServer,
  findEntries,
  findMeterWord,
} from "#clients/configured-entries.ts";
import { clients } from "#clients/index.ts";
import { findRemoteRule } from "#clients/mcp-remote.ts";
import { type ChangedLines, findChangedLines } from "#clients/wrapping/change-text.ts";
import type { ServerState } from "#screens/renderers/documents/settings/wrap.ts";
import type { SettingsFile } from "#state/storage/clients/find-settings.ts";
import { type ClientFileFault, readSettings } from "#state/storage/clients/read-settings.ts";
import type { RemoteNote } from "#state/storage/clients/remote-notes.ts";
import {
  findRemoteTexts,
  planUnwrapping,
  planWrapping,
  type EntryTask,
} from "./plan-entry-changes.ts";
import { planOptions, type WantedOptions } from "./change-entry-options.ts";
import type { refusalReasons } from "./sentences.ts";

export type SettingsTask = Omit<EntryTask, "listTools"> & {
  readonly action: RequestedChange["action"];
  readonly names: readonly string[];
  readonly listTools?: (entry: ConfiguredEntry, target: SettingsFile) => readonly string[];
  readonly includesRemote?: boolean;
  readonly readNotes?: (file: string) => readonly RemoteNote[];
};

export type PlannedServer = {
  readonly entry: ConfiguredEntry;
  readonly state: ServerState;
  readonly refusal: keyof typeof refusalReasons | undefined;
  /** The header or option that the refusal quotes. */
  readonly subject: string | undefined;
  /** True if the client reaches the server by a URL, or would after an unwrap. */
  readonly isRemote: boolean;
  /** True if the entry of a remote server still starts mcp-remote after mcp-meter is taken out. */
  readonly keepsMcpRemote: boolean;
};

export type FilePlan = {
  readonly target: SettingsFile;
  readonly servers: readonly PlannedServer[];
  readonly knownNames: readonly string[];
  readonly before: Uint8Array;
  /** Undefined if nothing changes. */
  readonly after: Uint8Array | undefined;
  readonly lines: readonly ChangedLines[];
  readonly notes: readonly RemoteNote[];
};

export function planFile(target: SettingsFile, task: SettingsTask): FilePlan | ClientFileFault {
  const client = clients[target.client];
  const read = readSettings(target.file, client.language);
  if ("fault" in read) return read;
  const { names, action, includesRemote = false } = task;
  const notes = task.readNotes?.(target.file) ?? [];
  const isNamed = names.length > 0;
  const entries = findEntries(client, read.value);
  const selectedEntries = entries.filter(({ rawName }) => !isNamed || names.includes(rawName));
  const listTools = (entry: ConfiguredEntry) => findTools(entry, task, target);
  const fileTask = { ...task, listTools };
  const entryStates = selectedEntries.map(
    (entry) => [entry, judgeEntry(entry, { ...fileTask, isNamed, includesRemote })] as const,
  );
  const changingEntries = entryStates.flatMap(([entry, state]) =>
    state === "changed" ? [entry] : [],
  );
  const file = { text: read.text, language: client.language, client: target.client, notes };
  const change =
    action === "unwrap"
      ? planUnwrapping(file, changingEntries)
      : planWrapping(file, changingEntries, fileTask);
  const rule = findRemoteRule(target.client);
  const servers = entryStates.map(([entry, state]) => {
    const isRemote =
      entry.form === undefined || (rule && findRemoteTexts(entry, notes, rule)) !== undefined;
    const common = { entry, isRemote, keepsMcpRemote: change.keepingMcpRemote.has(entry) };
    const fault = change.refused.get(entry);
    if (fault === undefined) return { ...common, state, refusal: undefined, subject: undefined };
    const subject = "subject" in fault ? fault.subject : undefined;
    return { ...common, state: "refused" as const, refusal: fault.refusal, subject };
  });
  const { edits } = change;
  const newText = read.byteOrderMark + change.text;
  const after = edits.length === 0 ? undefined : new TextEncoder().encode(newText);
  const knownNames = entries.map(({ rawName }) => rawName);
  const lines = findChangedLines(file, edits);
  return { target, servers, knownNames, before: read.bytes, after, lines, notes: change.notes };
}

export function findTools(
  entry: ConfiguredEntry,
  { listTools }: SettingsTask,
  target: SettingsFile,
): readonly string[] {
  return listTools?.(entry, target) ?? [];
}

export function refuseImpossibleChanges(plan: FilePlan, task: SettingsTask): FilePlan {
  const listTools = (entry: ConfiguredEntry) => findTools(entry, task, plan.target);
  const servers = plan.servers.map((server) => {
    const isBehindMeter = server.state === "behind";
    const planned = isBehindMeter ? planOptions(server.entry, { ...task, listTools }) : "unchanged";
    return planned === "meter_missing" || planned === "contradictory_options"
      ? { ...server, state: "refused" as const, refusal: planned }
      : server;
  });
  return { ...plan, servers };
}

export type RequestedChange = Omit<WantedOptions, "action"> & {
  readonly action: NonNullable<WantedOptions["action"]>;
  readonly isNamed: boolean;
  readonly includesRemote?: boolean;
};

export function judgeEntry(entry: ConfiguredEntry, change: RequestedChange): ServerState {
  const { words, form } = entry;
  const { action, includesRemote = false } = change;
  if (form === undefined && (action !== "wrap" || !includesRemote)) return "remote";
  const isBehindMeter = countWordsBeforeServer(words) !== undefined;
  if (isMeterItself(entry)) return "own";
  if (action === "unwrap") return isBehindMeter ? "changed" : "direct";
  if (!isBehindMeter) return judgeDirectEntry(entry, change);
  return typeof planOptions(entry, change) === "object" ? "changed" : "behind";
}

function judgeDirectEntry(
  { isDisabled }: ConfiguredEntry,
  { action, isNamed }: RequestedChange,
): ServerState {
  if (isDisabled && !isNamed) return "off";
  return action === "wrap" ? "changed" : "direct";
}

/** True if mcp-meter is the server, as in the entry of `mcp-meter mcp`. */
export function isMeterItself({ words }: ConfiguredEntry): boolean {
  const isBehindMeter = countWordsBeforeServer(words) !== undefined;
  return !isBehindMeter && findMeterWord(words.map(String)) !== undefined;
}
