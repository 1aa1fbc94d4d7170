import { existsSync, realpathSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { UserError } from "#kit/errors.ts";
import { lockBytesMax } from "../limits.ts";
import type { BaseName } from "#lock/base-name.ts";
import type { Lock } from "#lock/lock.ts";
import { runGit, type GitOutput } from "#kit/os/git.ts";
import { parseLockBytes, readLockBytes } from "./lock-file.ts";
import { storageSentences } from "./sentences.ts";

// A hash of 64 digits and a line end.
const gitNameBytesMax = 1_024;

/** Undefined when the git revision has no such file. Throws UserError when the file or the revision does not exist, or the lock cannot be read. */
export async function readBaseLock(
  { name, isFile }: BaseName,
  lockFile: string,
): Promise<Lock | undefined> {
  if (!isFile) return readRevision(name, lockFile);
  const bytes = readLockBytes(name);
  if (!bytes) throw new UserError(storageSentences.baseFileMissing(name));
  return parseBase(name, bytes);
}

/** Names are resolved to hashes first, so that git reads a file by its hash alone, without filters. */
async function readRevision(base: string, lockFile: string): Promise<Lock | undefined> {
  const { folder, name } = behindLinks(lockFile);
  const find = async (object: string): Promise<string | undefined> =>
    textOf(base, await runGit(["rev-parse", "--verify", "--quiet", object], inFolder(folder)));
  const commit = await find(`${base}^{commit}`);
  if (commit === undefined) throw await missingRevision(base, folder);
  const blob = await find(`${commit}:./${name}`);
  if (blob === undefined) return undefined;
  const content = await runGit(["cat-file", "blob", blob], { folder, bytesMax: lockBytesMax });
  if ("isAbsent" in content) throw unreadable(base, "git ended with 1");
  if ("fault" in content) throw unreadable(base, content.fault);
  return parseBase(base, content.bytes);
}

function parseBase(base: string, bytes: Uint8Array): Lock {
  const read = parseLockBytes(bytes);
  if ("lock" in read) return read.lock;
  throw new UserError(storageSentences.baseMalformed(base, read.fault));
}

async function missingRevision(base: string, folder: string): Promise<UserError> {
  const isShallow = textOf(
    base,
    await runGit(["rev-parse", "--is-shallow-repository"], inFolder(folder)),
  );
  return new UserError(storageSentences.revisionMissing(base, isShallow === "true"));
}

function inFolder(folder: string): Parameters<typeof runGit>[1] {
  return { folder, bytesMax: gitNameBytesMax };
}

/** Undefined when git found nothing. Throws UserError when git failed. */
function textOf(base: string, output: GitOutput): string | undefined {
  if ("isAbsent" in output) return undefined;
  if ("fault" in output) throw unreadable(base, output.fault);
  return new TextDecoder().decode(output.bytes).trim();
}

function unreadable(base: string, fault: string): UserError {
  const sentence = sentenceByFault.find(([begin]) => fault.startsWith(begin))?.[1];
  return new UserError((sentence ?? storageSentences.revisionUnreadable)(base, fault));
}

/** By their first words; git is asked in English. */
const sentenceByFault: readonly (readonly [begin: string, sentence: (base: string) => string])[] = [
  ["ENOENT", storageSentences.gitMissing],
  ["not a git repository", storageSentences.repositoryMissing],
  ["detected dubious ownership", storageSentences.repositoryOfOthers],
];

/** The folder exists; the lock may be behind a symbolic link, or missing. */
function behindLinks(file: string): { readonly folder: string; readonly name: string } {
  const path = existsSync(file) ? realpathSync(file) : resolve(file);
  let folder = dirname(path);
  while (!existsSync(folder)) folder = dirname(folder);
  return { folder, name: relative(folder, path).replaceAll("\\", "/") };
}
