import { statSync } from "node:fs";

const builtFile = /^(?:\/\$bunfs\/|[A-Z]:[/\\]~BUN[/\\])/;

/** Differs for each build; from source it never repeats. Without `/proc` it is the version. */
export function programMark(version: string): string {
  if (!builtFile.test(Bun.main)) return crypto.randomUUID();
  const executable = statSync("/proc/self/exe", { throwIfNoEntry: false });
  return executable ? `${version} ${executable.size} ${executable.mtimeMs}` : version;
}
