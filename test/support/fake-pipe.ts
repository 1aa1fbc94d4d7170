import type { FileSink } from "bun";
import { concat, textOf } from "./bytes.ts";

export class FakePipe implements FileSink {
  readonly written: Uint8Array[] = [];
  isEnded = false;
  broken: "at once" | "later" | undefined;
  taking: Promise<void> | undefined;

  get text(): string {
    return textOf(concat(this.written));
  }

  write(bytes: string | ArrayBufferView | ArrayBuffer | SharedArrayBuffer): number {
    if (this.broken === "at once") throw new Error("EPIPE");
    if (!(bytes instanceof Uint8Array)) throw new Error("an outbox writes bytes");
    this.written.push(bytes.slice());
    return bytes.length;
  }

  flush(): number | Promise<number> {
    if (this.broken === "later") return Promise.reject(new Error("EPIPE"));
    return this.taking ? this.taking.then(() => 0) : 0;
  }

  end(): number | Promise<number> {
    if (this.broken !== undefined) return Promise.reject(new Error("EPIPE"));
    this.isEnded = true;
    return 0;
  }

  start(): void {}
  ref(): void {}
  unref(): void {}
}
