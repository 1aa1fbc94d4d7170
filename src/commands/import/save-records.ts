import { sentences, UserError } from "#errors.ts";
import { conversationRecords } from "#imports/records/conversation-records.ts";
import type { RecordTools } from "#imports/records/record-subject.ts";
import type { Io } from "#io.ts";
import { derivedUuid } from "#os/derived-uuid.ts";
import { sha256 } from "#os/sha256.ts";
import { importsFolder, stateFolder } from "#storage/folders.ts";
import { recordLines, writeImports } from "#storage/logs/imported-files.ts";
import { writeNamedImports } from "#storage/logs/named-imports.ts";
import type { ClientEstimators } from "./log-tools.ts";
import type { ImportOptions } from "./options.ts";
import type { ReadClient } from "./read-clients.ts";

/** The world of saving records. */
type Saving = Pick<Io, "env"> & {
  readonly tell: (sentence: string) => void;
  readonly estimators: ClientEstimators;
};

/**
 * Writes the records of clients to the file that the user named, else to those that `report` reads. There, records without
 * tokens would replace better ones, so none are written. False when records could not be written, which is reported. Throws
 * UserError when a named file cannot be written.
 */
export function saveRecords(
  clients: readonly ReadClient[],
  { log, countsTokens }: Pick<ImportOptions, "log" | "countsTokens">,
  saving: Saving,
): boolean {
  if (log === "off" || (log === undefined && !countsTokens)) return true;
  const made = clients.map(({ id, logs }) => {
    const estimators = saving.estimators.of(id);
    const tools: RecordTools = {
      uuid: derivedUuid,
      sha256,
      estimationOf: (model) => estimators.find(model),
      countTokens: (text, model) => (countsTokens ? estimators.count(text, model) : null),
    };
    return { id, all: conversationRecords(id, logs, tools) };
  });
  if (log === undefined) {
    return made.map(({ id, all }) => saveConversations(id, all, saving)).every(Boolean);
  }
  const records = made.flatMap(({ all }) => all.flatMap((conversation) => conversation.records));
  const fault = writeNamedImports(log, recordLines(records));
  if (fault !== undefined) throw new UserError(sentences.importFileUnwritable(log, fault));
  return true;
}

function saveConversations(
  client: string,
  conversations: ReturnType<typeof conversationRecords>,
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
