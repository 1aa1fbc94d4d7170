import type { Problem } from "#check/report.ts";

export function problemText({ about, text }: Problem): string {
  return about === null ? text : `${about}: ${text}`;
}

/** An absolute path loses its folders, which would reveal the machine. */
export function relativeUri(file: string): string {
  const parts = file.replaceAll("\\", "/").split("/");
  const isAbsolute = parts[0] === "" || /^[A-Za-z]:$/.test(parts[0] ?? "");
  return (isAbsolute ? parts.slice(-1) : parts)
    .filter((part) => part !== ".")
    .map((part) => encodeURIComponent(part.toWellFormed()))
    .join("/");
}
