import { attempt } from "#kit/errors.ts";
import { type Dirent, readdirSync, statSync } from "node:fs";
import type {
  FolderList,
  Importer,
  LogFolder,
  LogForm,
  UserHome,
} from "#history/imports/importer.ts";
import { readErrorCode } from "#kit/os/file-errors.ts";
import { readWholeFile } from "#kit/os/open-file.ts";

export const importDepthMax = 16;

const importFilesMax = 100_000;

export type LogFile = {
  readonly file: string;
  // Relative to the folder of the logs.
  readonly path: string;
  readonly form: LogForm;
  // Files of the same group probably share events.
  readonly group: string;
};

export type FoundLogs = {
  readonly files: readonly LogFile[];
  readonly faults: readonly { readonly path: string; readonly fault: string }[];
};

export function listLogFolders(importer: Importer, home: UserHome): readonly LogFolder[] {
  const lists = importer.findFolderLists?.(home) ?? [];
  return [...importer.findFolders(home), ...lists.flatMap(readFolderList)];
}

const folderListBytesMax = 8 * 1024 * 1024;

function readFolderList({ file, parse }: FolderList): readonly LogFolder[] {
  const content = readWholeFile(file, folderListBytesMax);
  if ("fault" in content) return [];
  return attempt(() => parse(JSON.parse(new TextDecoder().decode(content.bytes))), []);
}

// Opens no file, and follows no symbolic link below a location.
export function findLogs(locations: readonly LogFolder[]): FoundLogs {
  const files: LogFile[] = [];
  const faults: { path: string; fault: string }[] = [];
  const keys = new Set<string>();
  for (const location of locations) {
    for (const path of walk(location, faults)) {
      const form = location.detectForm(path);
      if (form === undefined || files.length >= importFilesMax) continue;
      const file = `${location.folder}/${path}`;
      const key = location.makeKey?.(path) ?? file;
      if (keys.has(key)) continue;
      keys.add(key);
      const group = location.makeGroupKey?.(path) ?? path;
      files.push({ file, path, form, group: `${location.folder}/${group}` });
    }
  }
  return { files, faults };
}

function* walk(
  location: LogFolder,
  faults: { path: string; fault: string }[],
  subpath: string = "",
  depth: number = 0,
): Generator<string> {
  const folder = subpath === "" ? location.folder : `${location.folder}/${subpath}`;
  const entries = listEntries(folder, depth, faults);
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = subpath === "" ? entry.name : `${subpath}/${entry.name}`;
    if (entry.isFile()) yield path;
    else if (entry.isDirectory() && depth < importDepthMax && location.mayEnter?.(path) !== false) {
      yield* walk(location, faults, path, depth + 1);
    }
  }
}

function listEntries(
  folder: string,
  depth: number,
  faults: { path: string; fault: string }[],
): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const fault = readErrorCode(error);
    const isMissing = depth === 0 && (fault === "ENOENT" || fault === "ENOTDIR");
    if (!isMissing) faults.push({ path: folder, fault });
    return [];
  }
}

export type LogSurvey = {
  readonly folder: string;
  readonly files: number;
  readonly bytes: number;
  readonly oldestMs: number | null;
  readonly newestMs: number | null;
  readonly faults: readonly { readonly path: string; readonly fault: string }[];
};

export function surveyLogs(locations: readonly LogFolder[]): readonly LogSurvey[] {
  return locations.map(surveyFolder);
}

function surveyFolder(location: LogFolder): LogSurvey {
  const { files, faults } = findLogs([location]);
  const stats = files.flatMap(({ file }) => {
    const stat = attempt(() => statSync(file));
    return stat ? [stat] : [];
  });
  const times = stats.map(({ mtimeMs }) => mtimeMs);
  return {
    folder: location.folder,
    files: files.length,
    bytes: stats.reduce((sum, { size }) => sum + size, 0),
    oldestMs: times.length === 0 ? null : times.reduce((a, b) => Math.min(a, b)),
    newestMs: times.length === 0 ? null : times.reduce((a, b) => Math.max(a, b)),
    faults,
  };
}
