const probes = {
  strace: ["strace", "-f", "-o", "/dev/null", "-e", "trace=write", "true"],
  cc: ["sh", "-c", "echo '#include <stdio.h>' | cc -E -o /dev/null -"],
  python3: ["python3", "-c", "import json, sys, urllib.request; print(sys.executable)"],
  go: ["go", "version"],
  zsh: ["zsh", "--version"],
  fish: ["fish", "--version"],
  curl: ["curl", "--version"],
  jq: ["jq", "--version"],
  duckdb: [process.execPath, "-e", 'await import("@duckdb/node-api")'],
  git: ["git", "--version"],
  npm: ["npm", "--version"],
  promtool: ["promtool", "--version"],
  prometheus: ["prometheus", "--version"],
  mandoc: ["sh", "-c", "command -v mandoc"],
  chromium: ["chromium", "--version"],
  openssl: ["openssl", "version"],
  setpriv: ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "true"],
  "redis-server": ["redis-server", "--version"],
  "unshare -m": ["unshare", "-m", "mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", "/mnt"],
};

export type Program = keyof typeof probes;

export const programs = Object.keys(probes) as Program[];

const outputs = new Map<Program, string | undefined>();

/** What a program prints about itself; undefined where it does not run. Each is asked once. */
export function probe(program: Program): string | undefined {
  if (!outputs.has(program)) outputs.set(program, run(probes[program]));
  return outputs.get(program);
}

/** The interpreter itself: `python3` may be a shim, which takes a second at each start. */
export function pythonPath(): string {
  return probe("python3")?.trim() ?? "python3";
}

function run(argv: readonly string[]): string | undefined {
  try {
    const { exitCode, stdout } = Bun.spawnSync([...argv], { stderr: "ignore" });
    return exitCode === 0 ? stdout.toString() : undefined;
  } catch {
    return undefined;
  }
}
