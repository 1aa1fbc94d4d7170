import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  readdirSync,
  type Stats,
  statfsSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { attempt } from "#kit/errors.ts";
import { readErrorCode } from "#kit/os/file-errors.ts";
import { nameFileKind } from "#kit/os/open-file.ts";
import type { Finding } from "#screens/renderers/documents/doctor.ts";
import { findStateFolder, locateSessions } from "#state/storage/folders.ts";
import { listDayFolders, listRecordFiles } from "#state/storage/live/session-files.ts";
import { formatBytes, pluralize } from "#kit/text/numbers.ts";
import { quoteShellWord } from "#kit/text/unsafe-text.ts";
import { broken, type Examine, ok, type Installation, warning } from "./finding.ts";
import { describeReason } from "#kit/sentences.ts";

// About the size of one user's records of a busy day. With less free space, writing soon fails.
const neededFreeBytesMin = 10_000_000;

const ampleFreeBytesMin = 500_000_000;

const folderCheck = "state folder";

export const checkFolders: Examine = (installation) => {
  const folder = findStateFolder(installation.env);
  if (folder === undefined) {
    return [broken(folderCheck, "neither HOME nor XDG_STATE_HOME is set", "export HOME=~")];
  }
  const { stats, fault } = statPath(folder, statSync);
  if (fault !== undefined)
    return [broken(folderCheck, `${folder}: ${describeReason(fault)}`, null)];
  if (!stats) {
    const parent = findNearestPath(folder);
    return [examineMissing(folder, parent), ...examineDisk(parent, installation)];
  }
  if (!stats.isDirectory()) {
    const fix = `mv ${quoteShellWord(folder)} ${quoteShellWord(`${folder}.old`)}`;
    const kind = stats.isFile() ? "file" : nameFileKind(stats);
    return [broken(folderCheck, `${folder} is a ${kind}, not a folder`, fix)];
  }
  const problems = [
    ...examineAccess(folder, stats, installation),
    ...examineContent(folder, installation),
  ];
  const folderFindings = problems.length === 0 ? [ok(folderCheck, folder)] : problems;
  return [...folderFindings, ...examineDisk(folder, installation)];
};

function examineMissing(folder: string, parent: string): Finding {
  if (isWritable(parent)) return ok(folderCheck, `${folder}; the first session creates it`);
  const fault = existsSync(parent) ? "is not writable" : "is a link to nothing";
  return broken(
    folderCheck,
    `${folder} cannot be created: ${parent} ${fault}`,
    `ls -ld ${quoteShellWord(parent)}`,
  );
}

function examineAccess(folder: string, stats: Stats, { uid }: Installation): readonly Finding[] {
  const quotedFolder = quoteShellWord(folder);
  const chown = `sudo chown -R "$(id -u)" ${quotedFolder}`;
  if (stats.uid !== uid) return [broken(folderCheck, `${folder} belongs to another user`, chown)];
  const allowOwner = `chmod u=rwx ${quotedFolder}`;
  if ((stats.mode & 0o300) !== 0o300 || !isWritable(folder)) {
    return [broken(folderCheck, `${folder} is not writable`, allowOwner)];
  }
  if ((stats.mode & 0o400) === 0)
    return [broken(folderCheck, `${folder} is not readable`, allowOwner)];
  const fix = `chmod 700 ${quotedFolder}`;
  if ((stats.mode & 0o002) !== 0)
    return [broken(folderCheck, `every user can write to ${folder}`, fix)];
  if ((stats.mode & 0o020) !== 0)
    return [warning(folderCheck, `the group of ${folder} can write to it`, fix)];
  if ((stats.mode & 0o077) === 0) return [];
  const access = (stats.mode & 0o044) === 0 ? "enter" : "read";
  return [warning(folderCheck, `other users can ${access} ${folder}`, fix)];
}

function examineContent(folder: string, { uid }: Installation): readonly Finding[] {
  const contents = statContent(folder);
  const quotedFolder = quoteShellWord(folder);
  const count = (matches: (stats: Stats) => boolean): number => contents.filter(matches).length;
  const inaccessibleCount = count((stats) => stats.isDirectory() && (stats.mode & 0o700) !== 0o700);
  const exposedCount = count((stats) => (stats.mode & 0o077) !== 0 && !stats.isSymbolicLink());
  const foreignCount = count((stats) => stats.uid !== uid);
  const findings = [
    [
      inaccessibleCount,
      `${pluralize(inaccessibleCount, "folder")} in the state folder cannot be read or written`,
      `chmod -R u+rwX ${quotedFolder}`,
    ],
    [
      exposedCount,
      `other users have access to ${exposedCount} of the files and folders in the state folder`,
      `chmod -R go= ${quotedFolder}`,
    ],
    [
      foreignCount,
      `another user owns ${foreignCount} of the files and folders in the state folder`,
      `sudo chown -R "$(id -u)" ${quotedFolder}`,
    ],
  ] as const;
  return findings.flatMap(([entries, detail, fix]) =>
    entries === 0 ? [] : [warning(folderCheck, detail, fix)],
  );
}

function statContent(folder: string): readonly Stats[] {
  const days = listDayFolders(locateSessions(folder));
  const paths = [
    ...attempt(() => readdirSync(folder), []).map((name) => join(folder, name)),
    ...days,
    ...days.flatMap((day) => listRecordFiles(day)),
  ];
  return paths.flatMap((path) => {
    const { stats } = statPath(path, lstatSync);
    return stats ? [stats] : [];
  });
}

function examineDisk(folder: string, { env }: Installation): readonly Finding[] {
  const name = "disk";
  try {
    const { bavail, bsize } = statfsSync(folder);
    const free = bavail * bsize;
    const detail = `${formatBytes(free)} free for ${findStateFolder(env) ?? folder}`;
    const fix = `df -h ${quoteShellWord(folder)}`;
    if (free < neededFreeBytesMin) return [broken(name, detail, fix)];
    return [free < ampleFreeBytesMin ? warning(name, detail, fix) : ok(name, detail)];
  } catch (error) {
    return [
      warning(name, `its free space is unknown: ${describeReason(readErrorCode(error))}`, null),
    ];
  }
}

function statPath(
  path: string,
  stat: typeof statSync,
): { readonly stats?: Stats | undefined; readonly fault?: string } {
  try {
    const stats = stat(path, { throwIfNoEntry: false });
    // A broken link counts as present: no folder can be created there.
    return { stats: stats ?? lstatSync(path, { throwIfNoEntry: false }) };
  } catch (error) {
    return { fault: readErrorCode(error) };
  }
}

function findNearestPath(path: string): string {
  return statPath(path, statSync).stats ? path : findNearestPath(dirname(path));
}

function isWritable(folder: string): boolean {
  return attempt(() => {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  }, false);
}
