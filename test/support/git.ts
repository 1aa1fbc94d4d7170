import { execFileSync } from "node:child_process";
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export function withGit() {
  const path = mkdtempSync(join(tmpdir(), "repo-"));
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=me", "-c", "user.email=me@example.org", ...args], {
      cwd: path,
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  git("init", "--quiet", "--initial-branch=main");
  return {
    path,
    git,
    write(name: string, text: string): string {
      const file = join(path, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
    commit(): void {
      git("add", "--all");
      git("commit", "--quiet", "--allow-empty", "--message", "a change");
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}
