import { UserError } from "#errors.ts";
import type { Io } from "#io.ts";
import { RecordFile } from "#storage/record-file.ts";
import { newRecordPath } from "#storage/record-path.ts";
import type { OpenRecordFile } from "#sinks/file.ts";
import type { Tell } from "#text/teller.ts";

/** The file that records are written to, and the session that writes them. */
export type RecordTargetOptions = {
  /** The file that the user named; undefined for a new file in the state folder. */
  readonly log: string | undefined;
  readonly isSynced: boolean;
  readonly sessionId: string;
  readonly env: Io["env"];
};

/**
 * Opens the file of a session's records: a named file at once, so that the user reads early that it cannot
 * be opened, and a new file with the first record. A file that cannot be opened is reported once; it costs
 * the records, never the traffic.
 */
export function recordTarget(options: RecordTargetOptions, tell: Tell): OpenRecordFile {
  const { log, isSynced, sessionId, env } = options;
  const open = (path: () => string): RecordFile | undefined => {
    try {
      return new RecordFile(path(), isSynced);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      tell(error.message);
      return undefined;
    }
  };
  if (log !== undefined) {
    const file = open(() => log);
    return () => file;
  }
  const random = sessionId.slice(0, 8);
  return ({ ts, server }) => open(() => newRecordPath(env, { at: new Date(ts), server, random }));
}
