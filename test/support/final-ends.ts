type AnyRecord = { readonly [member: string]: unknown };

/** The records without the ends that a later one of their session replaces, as docs/records.md says. */
export function dropReplacedEnds<Item extends AnyRecord>(records: readonly Item[]): Item[] {
  const newest = new Map(
    records
      .filter(({ type }) => type === "end")
      .toSorted((one, other) => Number(one["seq"]) - Number(other["seq"]))
      .map((end) => [end["session_id"], end]),
  );
  return records.filter((record) => {
    return record["type"] !== "end" || newest.get(record["session_id"]) === record;
  });
}
