import type { Writer } from "../io.ts";
import { escapeUnsafe } from "./unsafe-text.ts";

export type Tell = (sentence: string) => void;

// A longer line would wrap, and its first part could not be erased.
const progressColumnsMax = 79;

const eraseLine = "\r\u001b[2K";

export class Teller {
  readonly #stderr: Pick<Writer, "write" | "isTerminal">;
  #hasProgress = false;

  constructor(stderr: Pick<Writer, "write" | "isTerminal">) {
    this.#stderr = stderr;
  }

  readonly tell: Tell = (sentence) => {
    this.clearProgress();
    this.#stderr.write(`${formatLine(sentence)}\n`);
  };

  ask(question: string): void {
    this.clearProgress();
    this.#stderr.write(`${formatLine(question)} `);
  }

  showProgress(text: string): void {
    if (!this.#stderr.isTerminal) return;
    this.#stderr.write(`${eraseLine}${cutLine(formatLine(text))}`);
    this.#hasProgress = true;
  }

  clearProgress(): void {
    if (this.#hasProgress) this.#stderr.write(eraseLine);
    this.#hasProgress = false;
  }
}

function formatLine(text: string): string {
  return `mcp-meter: ${escapeUnsafe(text)}`;
}

function cutLine(line: string): string {
  // Only ASCII characters surely take one column.
  const charactersMax = /^[ -~]*$/.test(line) ? progressColumnsMax : progressColumnsMax >> 1;
  if (line.length <= charactersMax) return line;
  return `${line.slice(0, charactersMax - 1).toWellFormed()}…`;
}
