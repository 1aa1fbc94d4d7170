// Separate from the sinks, so that the start of a session loads no sink.
const destinations: ReadonlySet<string> = new Set(["-", "off"]);

export function namesFile(log: string): boolean {
  return !destinations.has(log);
}
