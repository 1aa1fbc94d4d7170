import { runCollected } from "./collected-child.ts";

// A network file system answers in seconds.
const gitMaxMs = 30_000;

// Only the first line is shown.
const gitErrorBytesMax = 300;

/** A fault is a system error code, or the first line of git's complaint. */
export type GitOutput =
  | { readonly bytes: Uint8Array }
  /** It ended with 1 and without a complaint: the answer is no. */
  | { readonly isAbsent: true }
  | { readonly fault: string };

export type GitOptions = { readonly folder: string; readonly bytesMax: number };

/** English messages, no questions, and no connection for an object that a partial clone lacks. */
const quiet = {
  LC_ALL: "C",
  GIT_TERMINAL_PROMPT: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
};

/** No terminal, no stdin, no remote. */
export async function runGit(
  args: readonly string[],
  { folder, bytesMax }: GitOptions,
): Promise<GitOutput> {
  const ended = await runCollected(["git", ...args], {
    cwd: folder,
    env: quiet,
    bytesMax,
    maxMs: gitMaxMs,
  });
  if ("fault" in ended) return ended;
  if ("limit" in ended) {
    const isTooLong = ended.limit === "bytes";
    return { fault: isTooLong ? `it has more than ${bytesMax} bytes` : "git took too long" };
  }
  const { stdout, stderr, exitCode } = ended;
  if (exitCode === 0) return { bytes: stdout };
  const complaint = firstLine(stderr);
  if (exitCode === 1 && complaint === "") return { isAbsent: true };
  return { fault: complaint === "" ? `git ended with ${exitCode ?? "a signal"}` : complaint };
}

function firstLine(stderr: Uint8Array): string {
  const [line = ""] = new TextDecoder().decode(stderr.subarray(0, gitErrorBytesMax)).split("\n");
  return line.replace(/^fatal: /, "");
}
