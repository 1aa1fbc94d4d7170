import { realpathSync } from "node:fs";

/** The path of the program that runs: of the executable, or of the runtime where it runs from source. */
export function ownExecutable(): string {
  try {
    return realpathSync("/proc/self/exe");
  } catch {
    return Bun.argv[0] ?? "mcp-meter";
  }
}
