import type { CallRecord } from "#records/record.ts";
import type { FileFacts } from "#state/storage/live/session-files.ts";

export type FollowedCall = {
  readonly record: CallRecord;
  readonly context: { readonly tokens: number; readonly share: number | undefined };
  readonly isNew: boolean;
};

export type LastCalls = {
  readonly take: (call: FollowedCall) => void;
  /** Reads the last changed file first, until none can have a newer call. */
  readonly readFrom: (files: readonly FileFacts[], read: (path: string) => void) => void;
  readonly calls: () => readonly FollowedCall[];
};

export function lastCalls(count: number): LastCalls {
  let old: FollowedCall[] = [];
  const fresh: FollowedCall[] = [];
  const keepNewest = (): void => {
    old = old.toSorted(byTime).slice(Math.max(0, old.length - count));
  };
  return {
    take: (call) => {
      const { tokens, share } = call.context;
      // The context changes with the next call of its session.
      (call.isNew ? fresh : old).push({ ...call, context: { tokens, share } });
      if (old.length > 2 * count + roomForMore) keepNewest();
    },
    readFrom: (files, read) => {
      if (count === 0) return;
      for (const { path, changedMs } of files) {
        const [oldest] = old;
        const isEnough = old.length >= count && oldest !== undefined;
        if (isEnough && Date.parse(oldest.record.ts) > changedMs) return;
        read(path);
        keepNewest();
      }
    },
    calls: () => [...old, ...fresh.toSorted(byTime)],
  };
}

const roomForMore = 1_000;

function byTime(one: FollowedCall, other: FollowedCall): number {
  return Date.parse(one.record.ts) - Date.parse(other.record.ts);
}
