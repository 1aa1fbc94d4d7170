/** The part of `fetch` that is needed. */
export type Ask = (address: string) => Promise<{ readonly ok: boolean; json(): Promise<unknown> }>;

/**
 * The key by which this page comes back to a server that was started again on the same port. It stays in the memory of the
 * page: only a hash of it and of the server's challenge is sent.
 */
export class KeptKey {
  readonly #ask: Ask;
  #key: string | undefined;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /** Gets the key, once. */
  keep(): void {
    if (this.#key !== undefined) return;
    this.#key = "";
    void this.#textOf("/api/key", "key").then((key) => {
      this.#key = key;
    });
  }

  /** Proves the key; nothing happens where that fails. */
  async prove(): Promise<void> {
    const key = this.#key;
    if (key === undefined || key === "") return;
    const challenge = await this.#textOf("/comeback", "challenge");
    if (challenge === undefined) return;
    const query = new URLSearchParams({ challenge, proof: await proofOf(key, challenge) });
    await this.#ask(`/comeback?${query.toString()}`).catch(() => undefined);
  }

  /** A text in a JSON answer; undefined when there is none. */
  async #textOf(address: string, name: string): Promise<string | undefined> {
    try {
      const answer = await this.#ask(address);
      const value = answer.ok ? await answer.json() : undefined;
      const text = Object.entries(value ?? {}).find(([one]) => one === name)?.[1];
      return typeof text === "string" ? text : undefined;
    } catch {
      return undefined;
    }
  }
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** The HMAC-SHA-256 of a text, hexadecimal. */
async function proofOf(key: string, text: string): Promise<string> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const signing = await crypto.subtle.importKey("raw", bytesOf(key), algorithm, false, ["sign"]);
  const proof = await crypto.subtle.sign("HMAC", signing, bytesOf(text));
  return [...new Uint8Array(proof)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
