/** The fleet to which simulations extrapolate: these assumptions decide about the result as much as the measurement. */
export const fleet = {
  developers: 10_000,
  sessionsPerDay: 20,
  callsPerSession: 40,
  /** Calls of a day are made in its working hours, in one time zone. */
  workingHours: 8,
  /** The busiest minute has that many times the average. */
  peakFactor: 3,
} as const;

/** One line for each number, with three digits. */
export function rounded(rows: object): string {
  const lines = Object.entries(rows).map(([name, value]) => {
    const short = Number(Number(value).toPrecision(3));
    return `${name}: ${short.toLocaleString("en-US")}`;
  });
  return lines.join("\n");
}
