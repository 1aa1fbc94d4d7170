import type { Problem } from "#check/report.ts";

export function describeProblem({ about, text }: Problem): string {
  return about === null ? text : `${about}: ${text}`;
}

// Folders of an absolute path would reveal details of the machine.
export function makeRelativeUri(file: string): string {
  const segments = file.replaceAll("\\", "/").split("/");
  const isAbsolute = segments[0] === "" || /^[A-Za-z]:$/.test(segments[0] ?? "");
  return (isAbsolute ? segments.slice(-1) : segments)
    .filter((segment) => segment !== ".")
    .map((segment) => encodeURIComponent(segment.toWellFormed()))
    .join("/");
}
