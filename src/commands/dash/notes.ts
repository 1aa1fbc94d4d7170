import { dashNotesMax } from "#limits/dash.ts";

/** Sentences about the records on the page; one that is repeated is there once. */
export class PageNotes {
  readonly #sentences = new Set<string>();
  /** Those of the last reading of all records. */
  #ofReading: readonly string[] = [];
  #progress: string | undefined;
  #outage: string | undefined;
  #version = 0;

  /** Differs after each change. */
  get version(): number {
    return this.#version;
  }

  get all(): readonly string[] {
    const first = [this.#progress, this.#outage].filter((one) => one !== undefined);
    return [...new Set([...first, ...this.#ofReading, ...this.#sentences])];
  }

  readonly tell = (sentence: string): void => {
    if (this.#sentences.has(sentence) || this.#sentences.size >= dashNotesMax) return;
    this.#sentences.add(sentence);
    this.#version += 1;
  };

  /** A sentence that stands first until it is replaced, or undefined. */
  set progress(sentence: string | undefined) {
    this.#progress = sentence;
    this.#version += 1;
  }

  /** A sentence that stands there until the budget counters can be read again; undefined while they can. */
  set outage(sentence: string | undefined) {
    this.#outage = sentence;
    this.#version += 1;
  }

  /** The sentences of a reading, in place of those of the one before. */
  set ofReading(sentences: readonly string[]) {
    this.#ofReading = [...new Set(sentences)].slice(0, dashNotesMax);
    this.#version += 1;
  }
}
