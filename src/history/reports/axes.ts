/** Apart, so that options load no fold. */
export const axes = [
  "day",
  "week",
  "month",
  "session",
  "server",
  "tool",
  "model",
  "client",
  "machine",
] as const;

export type Axis = (typeof axes)[number];

export function isTimeAxis(axis: Axis): boolean {
  return axis === "day" || axis === "week" || axis === "month";
}
