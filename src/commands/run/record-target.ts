import { UserError } from "#errors.ts";
import type { Io } from "#io.ts";
import { RecordFile } from "#storage/record-file.ts";
import { newRecordPath } from "#storage/record-path.ts";
import type { OpenRecordFile } from "#sinks/file.ts";
import type { Tell } from "#text/teller.ts";

/** Opens the file that the user named at once, so that the user reads early that it cannot be opened. */
export function namedRecordFile(
  path: string,
  isSynced: boolean,
  tell: Tell,
): ReturnType<OpenRecordFile> {
  return open(() => new RecordFile(path, { isSynced, isMarked: false }), tell);
}

/** The session that writes to a new file. */
export type NewRecordFileOptions = {
  readonly isSynced: boolean;
  readonly sessionId: string;
  readonly env: Io["env"];
};

/** Opens a new file in the state folder with the first record of a session. */
export function newRecordFile(
  { isSynced, sessionId, env }: NewRecordFileOptions,
  tell: Tell,
): OpenRecordFile {
  const random = sessionId.slice(0, 8);
  return ({ ts, server }) =>
    open(() => {
      const path = newRecordPath(env, { at: new Date(ts), server, random });
      return new RecordFile(path, { isSynced, isMarked: true });
    }, tell);
}

/** A file that cannot be opened is reported; it costs the records, never the traffic. */
function open(openFile: () => RecordFile, tell: Tell): RecordFile | undefined {
  try {
    return openFile();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    tell(error.message);
    return undefined;
  }
}
