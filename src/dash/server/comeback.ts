import { dashChallengeMs, dashChallengesMax } from "#limits/dash.ts";
import { keyedSha256 } from "#os/sha256.ts";
import { isEqualText } from "./equal-text.ts";

/**
 * Lets a page that was open before continue when its server was started again on the same port. The page keeps a key that never
 * crosses the network again: it proves with a hash of a random challenge that it has it. So a foreign program that has taken
 * the port meanwhile learns nothing that opens the page later.
 */
export class Comeback {
  /** Hexadecimal; the same for each start with this installation and port. */
  readonly key: string;
  readonly #challenges = new Map<string, number>();

  /** Without a secret of the installation, the key is of this start alone. */
  constructor(installationKey: string, port: number) {
    const secret = installationKey === "" ? crypto.randomUUID() : installationKey;
    this.key = keyedSha256(secret, `dash ${port}`);
  }

  /** A text for which the page must compute the proof, once and soon. */
  challenge(nowMs: number): string {
    const [oldest] = this.#challenges.keys();
    if (oldest !== undefined && this.#challenges.size >= dashChallengesMax) {
      this.#challenges.delete(oldest);
    }
    const text = crypto.randomUUID();
    this.#challenges.set(text, nowMs + dashChallengeMs);
    return text;
  }

  /** True for the proof of a challenge that was not answered before. */
  accepts(challenge: string, proof: string, nowMs: number): boolean {
    const endMs = this.#challenges.get(challenge);
    this.#challenges.delete(challenge);
    if (endMs === undefined || nowMs > endMs) return false;
    return isEqualText(proof, keyedSha256(this.key, challenge));
  }
}
