import { statSync } from "node:fs";

/** The path of a file inside an executable. */
const builtFile = /^(?:\/\$bunfs\/|[A-Z]:[/\\]~BUN[/\\])/;

/**
 * Text that is another one for each build of this program, so that results of one build are not taken for those of
 * another. From source, where any file may have changed, it is never the same twice; on systems without `/proc` it is
 * the version.
 */
export function programMark(version: string): string {
  if (!builtFile.test(Bun.main)) return crypto.randomUUID();
  const executable = statSync("/proc/self/exe", { throwIfNoEntry: false });
  return executable ? `${version} ${executable.size} ${executable.mtimeMs}` : version;
}
