import { statSync } from "node:fs";
import type { LogPlace } from "#history/imports/importer.ts";
import { findLogs } from "./find-logs.ts";

export type LogSurvey = {
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
