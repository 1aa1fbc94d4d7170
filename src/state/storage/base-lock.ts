import { realpathSync, existsSync } from "node:fs";
import { UserError } from "#kit/errors.ts";
import type { Lock } from "#lock/lock.ts";
import { storageSentences } from "./sentences.ts";
import { dirname, relative, resolve } from "node:path";
import type { BaseName } from "#lock/lock-report.ts";
import { runProgram } from "#kit/os/run-program.ts";
import { parseLockBytes, readLockBytes, lockBytesMax } from "./lock-file.ts";

const gitNameBytesMax = 1_024;

// Undefined if the git revision does not have the lock file. Throws UserError if the base does not exist, or
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

// Looks up the commit first, to distinguish a missing revision from a revision without the lock.
async function readRevision(base: string, lockFile: string): Promise<Lock | undefined> {
  const { folder, name } = locateBehindLinks(lockFile);
  const findHash = (object: string): Promise<string | undefined> =>
    askGit(base, folder, ["rev-parse", "--verify", "--quiet", object]);
  const commit = await findHash(`${base}^{commit}`);
  if (commit === undefined) {
    const isShallow = await askGit(base, folder, ["rev-parse", "--is-shallow-repository"]);
    throw new UserError(storageSentences.revisionMissing(base, isShallow === "true"));
  }
  const blob = await findHash(`${commit}:./${name}`);
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

async function askGit(
  base: string,
  folder: string,
  args: readonly string[],
): Promise<string | undefined> {
  const output = await runGit(args, { folder, bytesMax: gitNameBytesMax });
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
    ["detected dubious ownership", storageSentences.repositoryUntrusted],
  ];

// `folder` is the nearest existing folder above the lock; `name` is relative to it.
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
  // Exit code 1 and no message: there is no such object.
  | { readonly isAbsent: true }
  | { readonly fault: string };

type GitOptions = { readonly folder: string; readonly bytesMax: number };

// English messages, no prompts, and no connection for an object missing from a partial clone. With the `GIT_DIR` of a
// hook, git would look for the lock in another folder and not find it.
const gitEnvironment = {
  LC_ALL: "C",
  GIT_TERMINAL_PROMPT: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
  GIT_DIR: undefined,
  GIT_WORK_TREE: undefined,
  GIT_COMMON_DIR: undefined,
};

export async function runGit(
  args: readonly string[],
  { folder, bytesMax }: GitOptions,
): Promise<GitOutput> {
  const outcome = await runProgram(["git", ...args], {
    cwd: folder,
    env: gitEnvironment,
    bytesMax,
    maxMs: gitMaxMs,
  });
  if ("fault" in outcome) return outcome;
  if ("limit" in outcome) {
    const isTooLong = outcome.limit === "bytes";
    return { fault: isTooLong ? `it has more than ${bytesMax} bytes` : "git took too long" };
  }
  const { stdout, stderr, exitCode } = outcome;
  if (exitCode === 0) return { bytes: stdout };
  const message = readFirstLine(stderr);
  if (exitCode === 1 && message === "") return { isAbsent: true };
  const ending =
    exitCode === undefined ? "git was ended by a signal" : `git ended with exit code ${exitCode}`;
  return { fault: message === "" ? ending : message };
}

function readFirstLine(stderr: Uint8Array): string {
  const [line = ""] = new TextDecoder().decode(stderr.subarray(0, gitErrorBytesMax)).split("\n");
  return line.replace(/^fatal: /, "");
}
