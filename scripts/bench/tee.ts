/** The C tee: how little time a wrapper can take on this machine. Needs a C compiler. */
import { join } from "node:path";

const source = join(import.meta.dir, "tee.c");
const compilers = ["cc", "gcc", "clang"] as const;
const compileMaxMs = 30_000;

/** Compiles it into `folder` and returns its path; undefined where `find` finds no compiler that can. */
export function compileTee(
  folder: string,
  find: (command: string) => string | null = Bun.which,
): string | undefined {
  const executable = join(folder, "tee");
  return compilers
    .flatMap((name) => find(name) ?? [])
    .some((compiler) => compiles(compiler, executable))
    ? executable
    : undefined;
}

function compiles(compiler: string, executable: string): boolean {
  const { success } = Bun.spawnSync({
    cmd: [compiler, "-O2", "-pthread", "-o", executable, source],
    stdio: ["ignore", "ignore", "ignore"],
    timeout: compileMaxMs,
  });
  return success;
}
