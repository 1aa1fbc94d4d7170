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
import { keyedSha256 } from "#kit/os/hash.ts";
import { serverLabel } from "#meter/session/participants.ts";
import { canLock, tryLockExclusive } from "#kit/os/file-lock.ts";

const machineIdBytes = 16;

const idFile = "machine-id";

export function machineIdPath(folder: string): string {
  return join(folder, idFile);
}

// Random: neither a name nor a serial number of the machine. Undefined if it cannot be stored.
export function machineId(folder: string | undefined): string | undefined {
  const id = validateId(findRandom(folder, idFile, machineIdBytes));
  if (id !== undefined || folder === undefined) return id;
  const isWhole = (): boolean => readMachineId(folder) !== undefined;
  const make = (): string => {
    const temporary = makeTemporaryPath(folder, idFile);
    writeRandom(temporary, machineIdBytes);
    return temporary;
  };
  repairFile(machineIdPath(folder), { isWhole, make });
  return readMachineId(folder);
}

export function readMachineId(folder: string | undefined): string | undefined {
  return folder === undefined
    ? undefined
    : validateId(readRandom(machineIdPath(folder), machineIdBytes));
}

function validateId(id: string | undefined): string | undefined {
  return id !== undefined && /^[0-9a-f]+$/.test(id) ? id : undefined;
}

const readOnly = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export function findRandom(
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

// Many sessions may start at once: the first whose file gets the name wins.
function makeRandom(folder: string, name: string, bytes: number): string | undefined {
  const path = join(folder, name);
  const temporary = makeTemporaryPath(folder, name);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeRandom(temporary, bytes);
    linkSync(temporary, path);
  } catch {
    // It exists by now, or the folder can hold none.
  }
  removeQuietly(temporary);
  return readRandom(path, bytes);
}

function makeTemporaryPath(folder: string, name: string): string {
  return join(folder, `.${name}.${crypto.randomUUID()}`);
}

// Synced to disk: otherwise, after a power loss, the file could exist but be empty.
function writeRandom(path: string, bytes: number): void {
  const random = Buffer.from(crypto.getRandomValues(new Uint8Array(bytes)));
  writeFileSync(path, random.toString("hex"), { mode: 0o600, flag: "wx", flush: true });
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It was never created.
  }
}

const installationKeyBytes = 32;

const keyFile = "installation-key";

// Keeps hashed command lines from being guessed. Empty if the folder can hold no key.
export function findInstallationKey(folder: string | undefined): string {
  return findRandom(folder, keyFile, installationKeyBytes) ?? "";
}

const ownerDigits = 6;

// With a keyed hash of the command: two servers started by one program do not share counters.
export function nameCounterOwner(command: readonly string[], folder: string | undefined): string {
  const text = JSON.stringify(command.map(resolvePath));
  const digits = keyedSha256(findInstallationKey(folder), text).slice(0, ownerDigits);
  return `${serverLabel(command.map(shortenPath))}-${digits}`;
}

// Files by name only: their folder may contain white space, which a label takes for code.
function shortenPath(word: string): string {
  return isFile(word) ? basename(word) : word;
}

// `dist/index.js` is another server in another directory.
function resolvePath(word: string): string {
  return isFile(word) ? resolve(word) : word;
}

function isFile(word: string): boolean {
  try {
    return statSync(word, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}

const lockWaitMaxMs = 2_000;

const lockPauseMs = 2;

// Without O_NONBLOCK, opening a pipe would wait for its writer.
const readOnlyFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

// Holds the damaged content, so that users notice the repair.
export function nameDamaged(path: string): string {
  return `${path}.damaged`;
}

type Repair = {
  readonly isWhole: () => boolean;
  readonly make: () => string;
};

// Under a lock: many processes may try at once. Leaves anything but a regular file.
export function repairFile(path: string, repair: Repair): void {
  try {
    const fd = openSync(path, readOnlyFlags);
    try {
      if (fstatSync(fd).isFile() && waitForLock(fd)) replace(path, fd, repair);
    } finally {
      closeSync(fd);
    }
  } catch {
    // Not readable, or the folder is not writable.
  }
}

// If files cannot be locked, the last of two simultaneous repairs wins.
function waitForLock(fd: number): boolean {
  if (!canLock()) return true;
  const end = performance.now() + lockWaitMaxMs;
  while (!tryLockExclusive(fd)) {
    if (performance.now() > end) return false;
    Bun.sleepSync(lockPauseMs);
  }
  return true;
}

function replace(path: string, fd: number, { isWhole, make }: Repair): void {
  // Another process was faster: the lock is on the earlier file.
  if (isWhole() || lstatSync(path).ino !== fstatSync(fd).ino) return;
  const temporary = make();
  try {
    rmSync(nameDamaged(path), { force: true });
    linkSync(path, nameDamaged(path));
    renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}
