import type { RemovedPart } from "#reports/totals/removed-usage.ts";
import { plural } from "#text/numbers.ts";
import type { Note } from "../document.ts";
import { daysText } from "./usage-period.ts";

export function removedNotes(removed: RemovedPart | undefined): readonly Note[] {
  if (!removed) return [];
  const { first, sessions, days_left_out: daysLeftOut } = removed;
  const begun = `${plural(sessions, "session")}, each counted where it began`;
  const counted = `from daily totals of removed records: ${daysText(removed)}, ${begun}`;
  const days = plural(daysLeftOut, "day");
  const leftOut = `without ${days} of removed records, which have no sessions and no times of the day`;
  return [
    ...(first === null ? [] : [{ label: "removed", text: counted }]),
    ...(daysLeftOut === 0 ? [] : [{ label: "removed", text: leftOut }]),
  ];
}
