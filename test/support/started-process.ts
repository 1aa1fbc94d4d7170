import { eventually } from "./wait.ts";

type Process = Bun.Subprocess<"ignore", "pipe", "pipe">;

export class StartedProcess {
  readonly child: Process;
  readonly #outputs: Promise<unknown>;
  out = "";
  err = "";

  constructor(argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const stdio = ["ignore", "pipe", "pipe"] as const;
    this.child = Bun.spawn([...argv], { env: { ...process.env, ...env }, stdio: [...stdio] });
    this.#outputs = Promise.all([
      this.#read(this.child.stdout, (text) => (this.out += text)),
      this.#read(this.child.stderr, (text) => (this.err += text)),
    ]);
  }

  async firstLine(): Promise<string> {
    return eventually(
      () => `a line, after ${this.err}`,
      () => (this.out.includes("\n") ? this.out.split("\n")[0] : undefined),
    );
  }

  async end(signal: NodeJS.Signals = "SIGTERM"): Promise<number> {
    this.child.kill(signal);
    await this.#outputs;
    return this.child.exited;
  }

  [Symbol.dispose](): void {
    this.child.kill("SIGKILL");
  }

  async #read(from: ReadableStream<Uint8Array>, take: (text: string) => void): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of from) take(decoder.decode(chunk, { stream: true }));
  }
}
