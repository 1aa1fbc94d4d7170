// Separate from the sinks, so that the start of a session loads no sink.
const destinations = ["-", "off"] as const;

export type RecordDestination = (typeof destinations)[number];

export function namesFile(log: string): boolean {
  return !destinations.some((destination) => destination === log);
}
