import { test } from "bun:test";

const probes = {
  strace: ["strace", "-f", "-o", "/dev/null", "-e", "trace=write", "true"],
  cc: ["cc", "--version"],
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
  "redis-server": ["redis-server", "--version"],
  "unshare -m": ["unshare", "-m", "mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", "/mnt"],
};

/**
 * Whether a tool of the machine can be used, for tests that cannot do without it. Where it cannot, that
 * is printed, and is a failure in CI: a row that nobody runs is not covered.
 */
export function has(tool: keyof typeof probes, rows: string): boolean {
  const isThere = succeeds(probes[tool]);
  if (!isThere) console.warn(`${tool} is missing: ${rows} not run`);
  test(`${tool} can be used for ${rows}`, () => {
    if (!isThere && process.env["CI"]) throw new Error(`${tool} is missing: ${rows} not run`);
  });
  return isThere;
}

function succeeds(command: readonly string[]): boolean {
  try {
    return Bun.spawnSync([...command], { stdout: "ignore", stderr: "ignore" }).exitCode === 0;
  } catch {
    return false;
  }
}
