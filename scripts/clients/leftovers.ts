import { execa } from "execa";

const waitMs = 5_000;

/** The command lines of processes that still name `mark` some seconds after their session; usually none. */
export async function leftovers(mark: string): Promise<readonly string[]> {
  const end = Date.now() + waitMs;
  for (;;) {
    const { stdout } = await execa("ps", ["-A", "-ww", "-o", "args="]);
    const left = stdout.split("\n").filter((line) => line.includes(mark));
    if (left.length === 0 || Date.now() > end) return left;
    await Bun.sleep(100);
  }
}
