import { attempt } from "#kit/errors.ts";
import { makeDisposableFile } from "#kit/os/file-errors.ts";
import { join } from "node:path";
import {
  constants,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  writeFileSync,
  lstatSync,
  renameSync,
} from "node:fs";
import { type FolderEnv, findStateFolder } from "../folders.ts";
import { removeQuietly } from "../cache-file.ts";
import { hasFlock, tryExclusiveFlock } from "#kit/os/c-library.ts";

const machineIdBytes = 16;

const idFile = "machine-id";

export function locateMachineId(folder: string): string {
  return join(folder, idFile);
}

// The id is random, not the machine's name or serial number. Undefined if the id cannot be stored.
export function findOrMakeMachineId(folder: string | undefined): string | undefined {
  const id = validateId(findOrMakeRandom(folder, idFile, machineIdBytes));
  if (id !== undefined || folder === undefined) return id;
  const isWhole = (): boolean => readMachineId(folder) !== undefined;
  const make = (): string => {
    const temporary = makeTemporaryPath(folder, idFile);
    writeRandom(temporary, machineIdBytes);
    return temporary;
  };
  repairFile(locateMachineId(folder), { isWhole, make });
  return readMachineId(folder);
}

export function readMachineId(folder: string | undefined): string | undefined {
  return folder === undefined
    ? undefined
    : validateId(readRandom(locateMachineId(folder), machineIdBytes));
}

type MachineChoice = { readonly machine: string | undefined };

export function chooseMachineToRecord(
  { machine, log }: MachineChoice & { readonly log: string | undefined },
  env: FolderEnv,
): string | undefined {
  if (machine !== undefined) return machine === "off" ? undefined : machine;
  return log === "off" ? undefined : findOrMakeMachineId(findStateFolder(env));
}

export function chooseMachineToShow(
  { machine }: MachineChoice,
  env: FolderEnv,
): string | undefined {
  if (machine !== undefined) return machine === "off" ? undefined : machine;
  return readMachineId(findStateFolder(env));
}

function validateId(id: string | undefined): string | undefined {
  return id !== undefined && /^[0-9a-f]+$/.test(id) ? id : undefined;
}

// Without O_NONBLOCK, opening a pipe would wait for its writer.
const readOnly = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export function findOrMakeRandom(
  folder: string | undefined,
  name: string,
  bytes: number,
): string | undefined {
  if (folder === undefined) return undefined;
  const path = join(folder, name);
  return readRandom(path, bytes) ?? makeRandom(folder, name, bytes);
}

export function readRandom(path: string, bytes: number): string | undefined {
  return attempt(() => {
    using file = makeDisposableFile(openSync(path, readOnly));
    const text = Buffer.alloc(bytes * 2);
    const isWhole = fstatSync(file.fd).isFile() && readSync(file.fd, text) === text.length;
    return isWhole ? text.toString("latin1") : undefined;
  });
}

// Many sessions may start at once: the first to link its file to `path` wins.
function makeRandom(folder: string, name: string, bytes: number): string | undefined {
  const path = join(folder, name);
  const temporary = makeTemporaryPath(folder, name);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeRandom(temporary, bytes);
    linkSync(temporary, path);
  } catch {
    // Another process has created the file, or the folder is not writable.
  }
  removeQuietly(temporary);
  return readRandom(path, bytes);
}

function makeTemporaryPath(folder: string, name: string): string {
  return join(folder, `.${name}.${crypto.randomUUID()}`);
}

// The file is synced to disk: otherwise, after a power loss, it could exist but be empty.
function writeRandom(path: string, bytes: number): void {
  const random = Buffer.from(crypto.getRandomValues(new Uint8Array(bytes)));
  writeFileSync(path, random.toString("hex"), { mode: 0o600, flag: "wx", flush: true });
}

const flockWaitMaxMs = 2_000;

const flockPauseMs = 2;

// The repair keeps the damaged file here, so that users notice the damage.
export function locateDamaged(path: string): string {
  return `${path}.damaged`;
}

type Repair = {
  readonly isWhole: () => boolean;
  readonly make: () => string; // writes a whole file and returns its path
};

// Many processes may try at once, so each waits for its turn.
export function repairFile(path: string, repair: Repair): void {
  try {
    using file = makeDisposableFile(openSync(path, readOnly));
    if (fstatSync(file.fd).isFile() && waitForFlock(file.fd)) replaceDamaged(path, file.fd, repair);
  } catch {
    // Not readable, or the folder is not writable.
  }
}

// Without flock, the last of two simultaneous repairs wins.
function waitForFlock(fd: number): boolean {
  if (!hasFlock()) return true;
  const end = performance.now() + flockWaitMaxMs;
  while (!tryExclusiveFlock(fd)) {
    if (performance.now() > end) return false;
    Bun.sleepSync(flockPauseMs);
  }
  return true;
}

function replaceDamaged(path: string, fd: number, { isWhole, make }: Repair): void {
  // Another process may have repaired `path` since `fd` was opened.
  if (isWhole() || lstatSync(path).ino !== fstatSync(fd).ino) return;
  const temporary = make();
  try {
    rmSync(locateDamaged(path), { force: true });
    linkSync(path, locateDamaged(path));
    renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}
