import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "#kit/errors.ts";
import { errorCode } from "#kit/os/error-code.ts";
import { type FolderEnv, stateFolder } from "./folders.ts";
import { sessionsFolder } from "./live/session-files.ts";
import { storageSentences } from "./sentences.ts";

const fileNameCharactersMax = 40;

export type RecordFileName = {
  readonly at: Date;
  readonly server: string;
  readonly random: string;
};

/** Makes the folder, of mode 0700. Throws UserError when that is impossible. */
export function newRecordPath(env: FolderEnv, { at, server, random }: RecordFileName): string {
  const state = stateFolder(env);
  if (state === undefined) throw new UserError(storageSentences.homeMissing());
  const [date = "", time = ""] = at.toISOString().slice(0, 19).split("T");
  const folder = join(sessionsFolder(state), date);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new UserError(storageSentences.logUnwritable(folder, errorCode(error)));
  }
  return join(folder, `${time.replaceAll(":", "")}-${fileNamePart(server)}-${random}.ndjson`);
}

function fileNamePart(server: string): string {
  const name = server.replaceAll(/[^A-Za-z0-9._-]+/g, "-").slice(0, fileNameCharactersMax);
  return name.replaceAll(/^[.-]+|[.-]+$/g, "") || "server";
}
