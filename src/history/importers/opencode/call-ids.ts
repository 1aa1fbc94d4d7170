export type CallIds = (own: string, startedAt: number | null) => string;

/** A fork keeps the ids of calls, so equal ids are one call; some models number the calls of each session, so one that began at another time is another. */
export function callIds(): CallIds {
  const starts = new Map<string, number | null>();
  return (own, startedAt) => {
    const first = starts.get(own);
    if (first === undefined) starts.set(own, startedAt);
    return first === undefined || first === startedAt ? own : `${own}@${startedAt ?? ""}`;
  };
}
