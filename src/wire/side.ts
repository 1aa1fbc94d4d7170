export type Side = "client" | "server";

export function otherSide(side: Side): Side {
  return side === "client" ? "server" : "client";
}
