import { join, basename, resolve } from "node:path";
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  writeFileSync,
  statSync,
  lstatSync,
  renameSync,
} from "node:fs";
import { keyedSha256 } from "#kit/os/sha256.ts";
import { serverLabel } from "#meter/session/participants.ts";
import { canLock, takeAlone } from "#kit/os/replace-file.ts";

// No two of a million machines share an id.
const machineIdBytes = 16;

const idFile = "machine-id";

export function machineIdPath(folder: string): string {
  return join(folder, idFile);
}

/** Random, and neither name nor number of the machine. A damaged file gets a new id. Undefined when the folder can hold none, or no regular file is there. */
export function machineId(folder: string | undefined): string | undefined {
  const id = checked(keptRandom(folder, idFile, machineIdBytes));
  if (id !== undefined || folder === undefined) return id;
  const isWhole = (): boolean => knownMachineId(folder) !== undefined;
  const make = (): string => {
    const own = ownPath(folder, idFile);
    writeRandom(own, machineIdBytes);
    return own;
  };
  repairFile(machineIdPath(folder), { isWhole, make });
  return knownMachineId(folder);
}

export function knownMachineId(folder: string | undefined): string | undefined {
  return folder === undefined
    ? undefined
    : checked(readRandom(machineIdPath(folder), machineIdBytes));
}

function checked(id: string | undefined): string | undefined {
  return id !== undefined && /^[0-9a-f]+$/.test(id) ? id : undefined;
}

const readOnly = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export function keptRandom(
  folder: string | undefined,
  name: string,
  bytes: number,
): string | undefined {
  if (folder === undefined) return undefined;
  const path = join(folder, name);
  return readRandom(path, bytes) ?? makeRandom(folder, name, bytes);
}

export function readRandom(path: string, bytes: number): string | undefined {
  try {
    const fd = openSync(path, readOnly);
    try {
      const text = Buffer.alloc(bytes * 2);
      const isWhole = fstatSync(fd).isFile() && readSync(fd, text) === text.length;
      return isWhole ? text.toString("latin1") : undefined;
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
}

/** Many sessions may begin at once: the first one whose file gets the name has made it. */
function makeRandom(folder: string, name: string, bytes: number): string | undefined {
  const path = join(folder, name);
  const own = ownPath(folder, name);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeRandom(own, bytes);
    linkSync(own, path);
  } catch {
    // It is there by now, or it can hold none.
  }
  removeQuietly(own);
  return readRandom(path, bytes);
}

function ownPath(folder: string, name: string): string {
  return join(folder, `.${name}.${crypto.randomUUID()}`);
}

/** Synced to disk: after a loss of power the file would be there and empty. */
function writeRandom(path: string, bytes: number): void {
  const random = Buffer.from(crypto.getRandomValues(new Uint8Array(bytes)));
  writeFileSync(path, random.toString("hex"), { mode: 0o600, flag: "wx", flush: true });
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It was never made.
  }
}

// As many as the hash has.
const installationKeyBytes = 32;

const keyFile = "installation-key";

/** Hexadecimal; keeps hashes of command lines from being guessed. Empty when the folder can hold no key: hashes still match from session to session. */
export function installationKey(folder: string | undefined): string {
  return keptRandom(folder, keyFile, installationKeyBytes) ?? "";
}

// 16 million values separate the few servers of a program.
const ownerDigits = 6;

/** The label of the command, and six digits of a keyed hash of the whole command line: two servers that the same program starts do not share counters. */
export function counterOwner(command: readonly string[], folder: string | undefined): string {
  const text = JSON.stringify(command.map(located));
  const digits = keyedSha256(installationKey(folder), text).slice(0, ownerDigits);
  return `${serverLabel(command.map(named))}-${digits}`;
}

/** A file by its name alone: its folder may contain white space, which a label takes for code. */
function named(word: string): string {
  return isFile(word) ? basename(word) : word;
}

/** `dist/index.js` is another server in another directory. */
function located(word: string): string {
  return isFile(word) ? resolve(word) : word;
}

function isFile(word: string): boolean {
  try {
    return statSync(word, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}

// Another session writes a few bytes down to the disk.
const identityWaitMaxMs = 2_000;

const identityPauseMs = 2;

// Without O_NONBLOCK, opening a pipe would wait for its writer.
const readOnlyFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The damaged content is kept, so that the repair is noticed. */
export function damagedName(path: string): string {
  return `${path}.damaged`;
}

type Repair = {
  readonly isWhole: () => boolean;
  readonly make: () => string;
};

/** Many processes may try at once: a lock on the damaged file lets the first one repair it while the others wait. Anything but a regular file stays. */
export function repairFile(path: string, repair: Repair): void {
  try {
    const fd = openSync(path, readOnlyFlags);
    try {
      if (fstatSync(fd).isFile() && isAlone(fd)) replace(path, fd, repair);
    } finally {
      closeSync(fd);
    }
  } catch {
    // It cannot be read, or its folder cannot be written.
  }
}

/** Where nothing can be locked, the last of two simultaneous repairs holds. */
function isAlone(fd: number): boolean {
  if (!canLock()) return true;
  const end = performance.now() + identityWaitMaxMs;
  while (!takeAlone(fd)) {
    if (performance.now() > end) return false;
    Bun.sleepSync(identityPauseMs);
  }
  return true;
}

function replace(path: string, fd: number, { isWhole, make }: Repair): void {
  // Another process was faster: the lock is one on a file that was there before.
  if (isWhole() || lstatSync(path).ino !== fstatSync(fd).ino) return;
  const own = make();
  try {
    rmSync(damagedName(path), { force: true });
    linkSync(path, damagedName(path));
    renameSync(own, path);
  } finally {
    rmSync(own, { force: true });
  }
}
