import { UserError } from "#kit/errors.ts";
import type { Io } from "#kit/io.ts";
import { RecordFile, makeClientMark, prepareRecordPath } from "#state/storage/record-file.ts";
import type { OpenRecordFile } from "#state/sinks/record-queue.ts";
import type { Tell } from "#kit/text/teller.ts";

export function openNamedRecordFile(
  path: string,
  isSynced: boolean,
  tell: Tell,
): ReturnType<OpenRecordFile> {
  return tryOpen(() => new RecordFile(path, { isSynced, isMarkedInUse: false }), tell);
}

export type NewRecordFileOptions = {
  readonly isSynced: boolean;
  readonly sessionId: string;
  readonly parentPid: number;
  readonly env: Io["env"];
};

export function prepareRecordFile(
  { isSynced, sessionId, parentPid, env }: NewRecordFileOptions,
  tell: Tell,
): OpenRecordFile {
  const random = sessionId.slice(0, 8);
  return (firstRecord) =>
    tryOpen(() => {
      const { ts, server } = firstRecord;
      const client =
        firstRecord.type === "session" ? firstRecord.client_session_id_sha256 : undefined;
      const mark = client === undefined ? undefined : makeClientMark(client, parentPid);
      const path = prepareRecordPath(env, { at: new Date(ts), server, mark, random });
      return new RecordFile(path, { isSynced, isMarkedInUse: true });
    }, tell);
}

function tryOpen(openFile: () => RecordFile, tell: Tell): RecordFile | undefined {
  try {
    return openFile();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    tell(error.message);
    return undefined;
  }
}
