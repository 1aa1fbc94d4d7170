import { existsSync, realpathSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { sentences, UserError } from "#errors.ts";
import { gitNameBytesMax, lockBytesMax } from "#limits/definitions.ts";
import type { BaseName } from "#lock/base-name.ts";
import type { Lock } from "#lock/lock.ts";
import { runGit, type GitOutput } from "#os/git.ts";
import { parseLockBytes, readLockBytes } from "./lock-file.ts";

/**
 * The lock of a file, or of `lockFile` at a git revision; undefined when that revision has none. Throws UserError when
 * the file or the revision does not exist, or has a lock that cannot be read.
 */
export function readBaseLock({ name, isFile }: BaseName, lockFile: string): Lock | undefined {
  if (!isFile) return readRevision(name, lockFile);
  const bytes = readLockBytes(name);
  if (!bytes) throw new UserError(sentences.baseFileMissing(name));
  return parseBase(name, bytes);
}

/** Names are resolved to hashes first, so that git reads a file by its hash alone, without filters. */
function readRevision(base: string, lockFile: string): Lock | undefined {
  const { folder, name } = behindLinks(lockFile);
  const find = (object: string): string | undefined =>
    textOf(base, runGit(["rev-parse", "--verify", "--quiet", object], inFolder(folder)));
  const commit = find(`${base}^{commit}`);
  if (commit === undefined) throw missingRevision(base, folder);
  const blob = find(`${commit}:./${name}`);
  if (blob === undefined) return undefined;
  const content = runGit(["cat-file", "blob", blob], { folder, bytesMax: lockBytesMax });
  if ("isAbsent" in content) throw unreadable(base, "git ended with 1");
  if ("fault" in content) throw unreadable(base, content.fault);
  return parseBase(base, content.bytes);
}

/** A base is not repaired, and not written again, as the lock of a branch is. */
function parseBase(base: string, bytes: Uint8Array): Lock {
  const read = parseLockBytes(bytes);
  if ("lock" in read) return read.lock;
  throw new UserError(sentences.baseMalformed(base, read.fault));
}

function missingRevision(base: string, folder: string): UserError {
  const isShallow = textOf(
    base,
    runGit(["rev-parse", "--is-shallow-repository"], inFolder(folder)),
  );
  return new UserError(sentences.revisionMissing(base, isShallow === "true"));
}

function inFolder(folder: string): Parameters<typeof runGit>[1] {
  return { folder, bytesMax: gitNameBytesMax };
}

/** The line that git printed; undefined when it found nothing. Throws UserError when git failed. */
function textOf(base: string, output: GitOutput): string | undefined {
  if ("isAbsent" in output) return undefined;
  if ("fault" in output) throw unreadable(base, output.fault);
  return new TextDecoder().decode(output.bytes).trim();
}

function unreadable(base: string, fault: string): UserError {
  const sentence = sentenceByFault.find(([begin]) => fault.startsWith(begin))?.[1];
  return new UserError((sentence ?? sentences.revisionUnreadable)(base, fault));
}

/** Faults with a remedy of their own, by their first words; git is asked in English. */
const sentenceByFault: readonly (readonly [begin: string, sentence: (base: string) => string])[] = [
  ["ENOENT", sentences.gitMissing],
  ["not a git repository", sentences.repositoryMissing],
  ["detected dubious ownership", sentences.repositoryOfOthers],
];

/** A folder that exists, and the path of a lock in it, which may be behind a symbolic link, or not be there. */
function behindLinks(file: string): { readonly folder: string; readonly name: string } {
  const path = existsSync(file) ? realpathSync(file) : resolve(file);
  let folder = dirname(path);
  while (!existsSync(folder)) folder = dirname(folder);
  return { folder, name: relative(folder, path).replaceAll("\\", "/") };
}
