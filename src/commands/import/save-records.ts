import { sentences, UserError } from "#errors.ts";
import {
  type ConversationRecords,
  conversationRecords,
} from "#imports/records/conversation-records.ts";
import type { RecordTools } from "#imports/records/record-subject.ts";
import type { Io } from "#io.ts";
import { derivedUuid, sha256 } from "#os/sha256.ts";
import { importsFolder, stateFolder } from "#storage/folders.ts";
import { recordLines, writeImports } from "#storage/logs/imported-files.ts";
import { writeNamedImports } from "#storage/logs/named-imports.ts";
import type { ClientEstimators } from "./log-tools.ts";
import type { ImportOptions } from "./options.ts";
import type { ReadClient } from "./read-clients.ts";

type Saving = Pick<Io, "env"> & {
  readonly tell: (sentence: string) => void;
  readonly estimators: ClientEstimators;
};

/**
 * False when records could not be written, which is reported. Records without tokens never go to the files that
 * `report` reads: they would replace better ones. Throws UserError when a named file cannot be written.
 */
export function saveRecords(
  clients: readonly ReadClient[],
  { log, countsTokens }: Pick<ImportOptions, "log" | "countsTokens">,
  saving: Saving,
): boolean {
  if (log === "off" || (log === undefined && !countsTokens)) return true;
  const recordsOf = (client: ReadClient): Iterable<ConversationRecords> => ({
    [Symbol.iterator]: () => recordsIn(client, countsTokens, saving),
  });
  if (log === undefined) {
    return clients.map((one) => saveConversations(one.id, recordsOf(one), saving)).every(Boolean);
  }
  const fault = writeNamedImports(log, () => linesOf(clients, recordsOf));
  if (fault !== undefined) throw new UserError(sentences.importFileUnwritable(log, fault));
  return true;
}

function* linesOf(
  clients: readonly ReadClient[],
  recordsOf: (client: ReadClient) => Iterable<ConversationRecords>,
): Generator<string> {
  for (const client of clients) {
    for (const { records } of recordsOf(client)) yield recordLines(records);
  }
}

/** Made one conversation at a time, on each iteration. */
function recordsIn(
  { id, logs }: ReadClient,
  countsTokens: boolean,
  { estimators }: Saving,
): Generator<ConversationRecords> {
  const its = estimators.of(id);
  const tools: RecordTools = {
    uuid: derivedUuid,
    sha256,
    estimationOf: (model) => its.find(model),
    countTokens: (text, model) => (countsTokens ? its.count(text, model) : null),
  };
  return conversationRecords(id, logs, tools);
}

function saveConversations(
  client: string,
  conversations: Iterable<ConversationRecords>,
  { env, tell }: Saving,
): boolean {
  const folder = stateFolder(env);
  if (folder === undefined) {
    tell(sentences.stateHomeMissing());
    return false;
  }
  const path = importsFolder(folder);
  const { failed, fault } = writeImports(path, client, conversations);
  if (fault === undefined) return true;
  tell(sentences.importsUnwritable(failed, path, fault));
  return false;
}
