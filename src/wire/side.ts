/** The two ends of the pipe. */
export type Side = "client" | "server";

/** The end that is not `side`. */
export function otherSide(side: Side): Side {
  return side === "client" ? "server" : "client";
}
