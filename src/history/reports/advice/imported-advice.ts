import type { ImportedCallRecord } from "#records/imported-record.ts";
import type { CallRecord } from "#records/record.ts";
import type { ImportedHistory } from "../imported/imported-history.ts";
import type { TimeRange } from "../time-range.ts";
import type { AdviceFold } from "./advice-fold.ts";

type ImportedUsage = {
  readonly history: ImportedHistory;
  readonly pairs: ReadonlyMap<ImportedCallRecord, CallRecord>;
};

/** Call it when all records of the wire are in the fold: a call on the wire counts there. */
export function addHistory(
  fold: AdviceFold,
  { history, pairs }: ImportedUsage,
  { fromMs, toMs }: TimeRange,
): void {
  const isIn = ({ ts }: { readonly ts: string }): boolean => {
    const ms = Date.parse(ts);
    return ms >= fromMs && ms < toMs;
  };
  for (const { record, turns, calls, lists } of history.conversations.values()) {
    for (const call of calls.values()) if (isIn(call) && !pairs.has(call)) fold.addImported(call);
    for (const list of lists.values()) {
      const { turn, until_turn: until } = list;
      const held = [...turns.keys()].filter(
        (index) => index >= turn && index < (until ?? Infinity),
      );
      if (isIn(list)) fold.addNamed(list, held.length, record?.client_session_id_sha256);
    }
  }
}
