import { realpathSync, existsSync } from "node:fs";
import { UserError } from "#kit/errors.ts";
import { lockBytesMax } from "../limits.ts";
import { findContradiction, readLock, writeLock, type Lock } from "#lock/lock.ts";
import { readWholeFile } from "#kit/os/open-file.ts";
import { replaceFile } from "#kit/os/replace-file.ts";
import { sha256 } from "#kit/os/hash.ts";
import { findDuplicate, makePositionFinder } from "#kit/syntax/syntax-tree.ts";
import { parseJson } from "#kit/syntax/jsonc.ts";
import { storageSentences } from "./sentences.ts";
import { dirname, relative, resolve } from "node:path";
import type { BaseName } from "#lock/lock-report.ts";
import { runProgram } from "#kit/os/run-program.ts";

// Locks are committed and read by others; the umask applies.
const lockMode = 0o666;

export function readLockFile(file: string): Lock | undefined {
  const bytes = readLockBytes(file);
  return bytes && parseLock(file, bytes);
}

export function readLockText(file: string): string | undefined {
  const bytes = readLockBytes(file);
  const text = bytes && decode(bytes);
  if (bytes && text === undefined) throw makeLockError(file, notUtf8);
  return text;
}

export function parseLockBytes(
  bytes: Uint8Array,
): { readonly lock: Lock } | { readonly fault: string } {
  const text = decode(bytes);
  if (text === undefined) return { fault: notUtf8 };
  const read = readLock(text);
  if ("fault" in read) return read;
  // Text that we wrote has no duplicates, and searching a large text takes seconds.
  const duplicate = writeLock(read.lock) === text ? undefined : describeDuplicate(text);
  if (duplicate !== undefined) return { fault: duplicate };
  const contradiction = findContradiction(read.lock, sha256);
  return contradiction === undefined ? read : { fault: contradiction };
}

// Describes a repeated name: a reviewer might read its first value, a program its last.
function describeDuplicate(text: string): string | undefined {
  const source = parseJson(text);
  const found = "fault" in source ? source : findDuplicate(source.tree);
  return found && `line ${makePositionFinder(text)(found.offset).line}: ${found.fault}`;
}

function parseLock(file: string, bytes: Uint8Array): Lock {
  const read = parseLockBytes(bytes);
  if ("fault" in read) throw makeLockError(file, read.fault);
  return read.lock;
}

// Writes only a change, and through links: a repository may keep its lock behind one.
export function writeLockFile(file: string, lock: Lock): boolean {
  const text = writeLock(lock);
  if (readLockText(file) === text) return false;
  const fault = replaceFile(resolveLinks(file), text, lockMode);
  if (fault !== undefined) throw new UserError(storageSentences.lockUnwritable(file, fault));
  return true;
}

function resolveLinks(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

export function readLockBytes(file: string): Uint8Array | undefined {
  const content = readWholeFile(file, lockBytesMax);
  if ("bytes" in content) return content.bytes;
  if (content.fault === "ENOENT") return undefined;
  throw makeLockError(file, content.fault);
}

const notUtf8 = "it is not valid UTF-8";

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function makeLockError(file: string, fault: string): UserError {
  return new UserError(storageSentences.lockMalformed(file, fault));
}

const gitNameBytesMax = 1_024;

// Undefined if the git revision has no such file. Throws UserError if the base does not exist, or
// its lock cannot be read.
export async function readBaseLock(
  { name, isFile }: BaseName,
  lockFile: string,
): Promise<Lock | undefined> {
  if (!isFile) return readRevision(name, lockFile);
  const bytes = readLockBytes(name);
  if (!bytes) throw new UserError(storageSentences.baseFileMissing(name));
  return parseBase(name, bytes);
}

// Resolves names to hashes first, so that git reads a file by its hash alone, without filters.
async function readRevision(base: string, lockFile: string): Promise<Lock | undefined> {
  const { folder, name } = locateBehindLinks(lockFile);
  const find = async (object: string): Promise<string | undefined> =>
    readOutput(
      base,
      await runGit(["rev-parse", "--verify", "--quiet", object], makeGitOptions(folder)),
    );
  const commit = await find(`${base}^{commit}`);
  if (commit === undefined) throw await explainMissingRevision(base, folder);
  const blob = await find(`${commit}:./${name}`);
  if (blob === undefined) return undefined;
  const content = await runGit(["cat-file", "blob", blob], { folder, bytesMax: lockBytesMax });
  if ("isAbsent" in content) throw makeBaseError(base, "git ended with exit code 1");
  if ("fault" in content) throw makeBaseError(base, content.fault);
  return parseBase(base, content.bytes);
}

function parseBase(base: string, bytes: Uint8Array): Lock {
  const read = parseLockBytes(bytes);
  if ("lock" in read) return read.lock;
  throw new UserError(storageSentences.baseMalformed(base, read.fault));
}

async function explainMissingRevision(base: string, folder: string): Promise<UserError> {
  const isShallow = readOutput(
    base,
    await runGit(["rev-parse", "--is-shallow-repository"], makeGitOptions(folder)),
  );
  return new UserError(storageSentences.revisionMissing(base, isShallow === "true"));
}

function makeGitOptions(folder: string): Parameters<typeof runGit>[1] {
  return { folder, bytesMax: gitNameBytesMax };
}

function readOutput(base: string, output: GitOutput): string | undefined {
  if ("isAbsent" in output) return undefined;
  if ("fault" in output) throw makeBaseError(base, output.fault);
  return new TextDecoder().decode(output.bytes).trim();
}

function makeBaseError(base: string, fault: string): UserError {
  const sentence = sentenceByFault.find(([prefix]) => fault.startsWith(prefix))?.[1];
  return new UserError((sentence ?? storageSentences.revisionUnreadable)(base, fault));
}

const sentenceByFault: readonly (readonly [prefix: string, sentence: (base: string) => string])[] =
  [
    ["ENOENT", storageSentences.gitMissing],
    ["not a git repository", storageSentences.repositoryMissing],
    ["detected dubious ownership", storageSentences.repositoryOfOthers],
  ];

// Returns a folder that exists; the lock itself may be behind a symbolic link, or missing.
function locateBehindLinks(file: string): { readonly folder: string; readonly name: string } {
  const path = existsSync(file) ? realpathSync(file) : resolve(file);
  let folder = dirname(path);
  while (!existsSync(folder)) folder = dirname(folder);
  return { folder, name: relative(folder, path).replaceAll("\\", "/") };
}

const gitMaxMs = 30_000;

const gitErrorBytesMax = 300;

type GitOutput =
  | { readonly bytes: Uint8Array }
  // Exit code 1 without a complaint: the answer is no.
  | { readonly isAbsent: true }
  | { readonly fault: string };

type GitOptions = { readonly folder: string; readonly bytesMax: number };

// English messages, no prompts, and no connection for an object missing from a partial clone.
const quietEnvironment = {
  LC_ALL: "C",
  GIT_TERMINAL_PROMPT: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
};

export async function runGit(
  args: readonly string[],
  { folder, bytesMax }: GitOptions,
): Promise<GitOutput> {
  const ended = await runProgram(["git", ...args], {
    cwd: folder,
    env: quietEnvironment,
    bytesMax,
    maxMs: gitMaxMs,
  });
  if ("fault" in ended) return ended;
  if ("limit" in ended) {
    const isTooLong = ended.limit === "bytes";
    return { fault: isTooLong ? `it has more than ${bytesMax} bytes` : "git took too long" };
  }
  const { stdout, stderr, exitCode } = ended;
  if (exitCode === 0) return { bytes: stdout };
  const complaint = readFirstLine(stderr);
  if (exitCode === 1 && complaint === "") return { isAbsent: true };
  return { fault: complaint === "" ? `git ended with ${exitCode ?? "a signal"}` : complaint };
}

function readFirstLine(stderr: Uint8Array): string {
  const [line = ""] = new TextDecoder().decode(stderr.subarray(0, gitErrorBytesMax)).split("\n");
  return line.replace(/^fatal: /, "");
}
