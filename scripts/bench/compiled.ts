/** The programs in C: how little a wrapper or a proxy can cost on this machine. They need a C compiler. */
import { join } from "node:path";

const compilers = ["cc", "gcc", "clang"] as const;
const compileMaxMs = 30_000;

type Find = (command: string) => string | null;

/** Compiles the C tee into `folder` and returns its path; undefined where `find` finds no compiler that can. */
export function compileTee(folder: string, find?: Find): string | undefined {
  return compiled(join(import.meta.dir, "tee.c"), join(folder, "tee"), find);
}

/** The same for the C relay, which stands in front of a server behind a URL. */
export function compileRelay(folder: string, find?: Find): string | undefined {
  return compiled(join(import.meta.dir, "http", "relay.c"), join(folder, "relay"), find);
}

function compiled(source: string, executable: string, find: Find = Bun.which): string | undefined {
  const works = (compiler: string): boolean =>
    Bun.spawnSync({
      cmd: [compiler, "-O2", "-pthread", "-o", executable, source],
      stdio: ["ignore", "ignore", "ignore"],
      timeout: compileMaxMs,
    }).success;
  return compilers.flatMap((name) => find(name) ?? []).some(works) ? executable : undefined;
}
