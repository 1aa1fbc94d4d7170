import type { Writer } from "#io.ts";
import { escapeUnsafe } from "./unsafe-text.ts";

/** Prints one sentence for the user. */
export type Tell = (sentence: string) => void;

const eraseLine = "\r\u001b[2K";

/**
 * The only writer of sentences to stderr: each on a line of its own, begun with the program's name, with
 * everything unsafe escaped. On a terminal it also keeps one line of progress, which is erased before a
 * sentence is written.
 */
export class Teller {
  readonly #stderr: Pick<Writer, "write" | "isTerminal">;
  #hasProgress = false;

  constructor(stderr: Pick<Writer, "write" | "isTerminal">) {
    this.#stderr = stderr;
  }

  /** Writes one sentence. A property, so that it can be handed on by itself. */
  readonly tell: Tell = (sentence) => {
    this.clearProgress();
    this.#stderr.write(`${shown(sentence)}\n`);
  };

  /** Writes a question, whose answer is typed on the same line. */
  ask(question: string): void {
    this.clearProgress();
    this.#stderr.write(`${shown(question)} `);
  }

  /** Replaces the line of progress; writes nothing where no terminal shows it. */
  showProgress(text: string): void {
    if (!this.#stderr.isTerminal) return;
    this.#stderr.write(`${eraseLine}${shown(text)}`);
    this.#hasProgress = true;
  }

  /** Erases the line of progress, if there is one. */
  clearProgress(): void {
    if (this.#hasProgress) this.#stderr.write(eraseLine);
    this.#hasProgress = false;
  }
}

function shown(text: string): string {
  return `mcp-meter: ${escapeUnsafe(text)}`;
}
