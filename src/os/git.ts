import { gitErrorBytesMax, gitMaxMs } from "#limits/definitions.ts";
import { errorCode } from "./error-code.ts";

/** The output of git, or why there is none: a system error code, or the first line of its complaint. */
export type GitOutput =
  | { readonly bytes: Uint8Array }
  /** It ended with 1 and without a complaint: the answer is no. */
  | { readonly isAbsent: true }
  | { readonly fault: string };

/** The folder to run git in, and the most bytes that it may print. */
export type GitOptions = { readonly folder: string; readonly bytesMax: number };

/** English messages, no questions, and no connection for an object that a partial clone lacks. */
const quiet = {
  LC_ALL: "C",
  GIT_TERMINAL_PROMPT: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
};

/** Reads from a repository with git. It gets no terminal, no stdin, and must not reach for a remote. */
export function runGit(args: readonly string[], { folder, bytesMax }: GitOptions): GitOutput {
  try {
    const ended = Bun.spawnSync(["git", ...args], {
      cwd: folder,
      env: { ...Bun.env, ...quiet },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      maxBuffer: bytesMax,
      timeout: gitMaxMs,
    });
    if (ended.exitedDueToMaxBuffer === true) return { fault: `it has more than ${bytesMax} bytes` };
    if (ended.exitedDueToTimeout === true) return { fault: "git took too long" };
    if (ended.success) return { bytes: ended.stdout };
    const complaint = firstLine(ended.stderr);
    if (ended.exitCode === 1 && complaint === "") return { isAbsent: true };
    return { fault: complaint === "" ? `git ended with ${ended.exitCode}` : complaint };
  } catch (error) {
    return { fault: errorCode(error) };
  }
}

function firstLine(stderr: Uint8Array): string {
  const [line = ""] = new TextDecoder().decode(stderr.subarray(0, gitErrorBytesMax)).split("\n");
  return line.replace(/^fatal: /, "");
}
