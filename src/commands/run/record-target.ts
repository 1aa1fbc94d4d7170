import { UserError } from "#errors.ts";
import type { Io } from "#io.ts";
import { RecordFile } from "#storage/record-file.ts";
import { newRecordPath } from "#storage/state.ts";
import type { OpenRecordFile } from "#sinks/file.ts";
import type { Tell } from "#text/teller.ts";

/**
 * Where a session's records go. A named file is opened at once, so that a person hears early when it
 * cannot be; a new file in the state directory only when there is something to write. What cannot be
 * opened is told once and costs the records, never the traffic.
 */
export function recordTarget(
  log: string | undefined,
  isSynced: boolean,
  sessionId: string,
  env: Io["env"],
  tell: Tell,
): OpenRecordFile {
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
  return ({ ts, server }) => open(() => newRecordPath(env, new Date(ts), server, random));
}
