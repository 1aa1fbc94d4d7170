export const dashNotesMax = 20;

export class PageNotes {
  readonly #sentences = new Set<string>();
  #ofReading: readonly string[] = [];
  #progress: string | undefined;
  #outage: string | undefined;
  #version = 0;

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

  set progress(sentence: string | undefined) {
    this.#progress = sentence;
    this.#version += 1;
  }

  set outage(sentence: string | undefined) {
    this.#outage = sentence;
    this.#version += 1;
  }

  set ofReading(sentences: readonly string[]) {
    this.#ofReading = [...new Set(sentences)].slice(0, dashNotesMax);
    this.#version += 1;
  }
}
