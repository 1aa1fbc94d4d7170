// Separate from the sinks, so that the start of a session loads no sink.
const destinations: readonly string[] = ["-", "off"];

export function namesFile(log: string): boolean {
  return !destinations.includes(log);
}
