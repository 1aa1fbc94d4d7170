import { type Dirent, readdirSync, statSync } from "node:fs";
import type { LogForm, LogPlace } from "#history/imports/importer.ts";
import { errorCode } from "#kit/os/file-errors.ts";

// Workflows are five levels down.
export const importDepthMax = 16;

// The largest history in reports has a thousand.
const importFilesMax = 100_000;

export type LogFile = {
  readonly file: string;
  readonly path: string;
  readonly form: LogForm;
};

export type FoundLogs = {
  readonly files: readonly LogFile[];
  readonly faults: readonly { readonly path: string; readonly fault: string }[];
};

/** Each once. Follows no symbolic link, and opens no file. */
export function findLogs(places: readonly LogPlace[]): FoundLogs {
  const files: LogFile[] = [];
  const faults: { path: string; fault: string }[] = [];
  const keys = new Set<string>();
  for (const place of places) {
    for (const path of walk(place, faults)) {
      const form = place.form(path);
      if (form === undefined || files.length >= importFilesMax) continue;
      const file = `${place.folder}/${path}`;
      const key = place.key?.(path) ?? file;
      if (keys.has(key)) continue;
      keys.add(key);
      files.push({ file, path, form });
    }
  }
  return { files, faults };
}

function* walk(
  place: LogPlace,
  faults: { path: string; fault: string }[],
  below: string = "",
  depth: number = 0,
): Generator<string> {
  const folder = below === "" ? place.folder : `${place.folder}/${below}`;
  const entries = entriesOf(folder, depth, faults);
  for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isFile()) yield path;
    else if (entry.isDirectory() && depth < importDepthMax && place.enters?.(path) !== false) {
      yield* walk(place, faults, path, depth + 1);
    }
  }
}

function entriesOf(
  folder: string,
  depth: number,
  faults: { path: string; fault: string }[],
): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const fault = errorCode(error);
    const isMissing = depth === 0 && (fault === "ENOENT" || fault === "ENOTDIR");
    if (!isMissing) faults.push({ path: folder, fault });
    return [];
  }
}

type LogSurvey = {
  readonly folder: string;
  readonly files: number;
  readonly bytes: number;
  readonly oldestMs: number | null;
  readonly newestMs: number | null;
  readonly faults: readonly { readonly path: string; readonly fault: string }[];
};

export function surveyLogs(places: readonly LogPlace[]): readonly LogSurvey[] {
  return places.map(surveyPlace).filter(({ files, faults }) => files > 0 || faults.length > 0);
}

function surveyPlace(place: LogPlace): LogSurvey {
  const { files, faults } = findLogs([place]);
  const stats = files.flatMap(({ file }) => {
    const found = statSync(file, { throwIfNoEntry: false });
    return found ? [found] : [];
  });
  const times = stats.map(({ mtimeMs }) => mtimeMs);
  return {
    folder: place.folder,
    files: files.length,
    bytes: stats.reduce((sum, { size }) => sum + size, 0),
    oldestMs: times.length === 0 ? null : times.reduce((one, other) => Math.min(one, other)),
    newestMs: times.length === 0 ? null : times.reduce((one, other) => Math.max(one, other)),
    faults,
  };
}
