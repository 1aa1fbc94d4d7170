import { connect, type Socket } from "node:net";
import { eventually } from "./wait.ts";

/** Of what is awaited and what came, in the error of a wait. */
const shownCharacters = 300;

const shown = (text: string) => JSON.stringify(text.slice(-shownCharacters));

/** A client whose requests are bytes of a test's choice. */
export class RawClient implements Disposable {
  readonly socket: Socket;
  #text = "";
  /** How the connection ended; undefined while it is open. */
  end: "ended" | "broken" | undefined;

  private constructor(port: number) {
    this.socket = connect({ port, host: "127.0.0.1", noDelay: true });
    this.socket.on("data", (bytes) => (this.#text += bytes.toString("latin1")));
    this.socket.on("end", () => (this.end ??= "ended"));
    this.socket.on("error", () => (this.end = "broken"));
  }

  static async to(port: number): Promise<RawClient> {
    const client = new RawClient(port);
    await new Promise((resolve) => client.socket.once("connect", resolve));
    return client;
  }

  /** All that came, without the dates, which are those of today. */
  get text(): string {
    return this.#text.replaceAll(/date: [^\r]*\r\n/g, "");
  }

  /** The statuses of all answers so far. */
  get statuses(): readonly number[] {
    return [...this.#text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  }

  send(bytes: string | Uint8Array): this {
    this.socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
    return this;
  }

  /** Waits until all that came ends with these characters. */
  async endsWith(text: string): Promise<void> {
    await this.#until(text, () => this.text.endsWith(text));
  }

  /** Waits for that number of answers. */
  async answered(count: number): Promise<void> {
    await this.#until(`${count} answers`, () => this.statuses.length >= count);
  }

  async ended(): Promise<"ended" | "broken"> {
    return eventually("the end of the connection", () => this.end);
  }

  async #until(what: string, isThere: () => boolean): Promise<void> {
    await eventually(() => `${shown(what)} at the end of ${shown(this.text)}`, isThere);
  }

  [Symbol.dispose](): void {
    this.socket.destroy();
  }
}
