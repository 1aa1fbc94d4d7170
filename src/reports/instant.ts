/** Moments as records write them, which is nearly always like this: `2026-11-22T12:45:56.789Z`. */
const written = /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/** Any other moment of RFC 3339. Without its zone it would depend on the machine that reads it. */
const dateTime = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

/** Reads the times of records. Remembers the newest date, which that of the next record often is. */
export class InstantReader {
  #date = "";
  #dateMs = Number.NaN;

  /** Milliseconds since 1970 UTC; NaN for a text that is not a moment. */
  read(text: string): number {
    if (!written.test(text)) return dateTime.test(text) ? Date.parse(text) : Number.NaN;
    const date = text.slice(0, 10);
    if (date !== this.#date) {
      this.#date = date;
      this.#dateMs = Date.parse(date);
    }
    const hours = twoDigits(text, 11);
    const minutes = twoDigits(text, 14);
    const seconds = twoDigits(text, 17);
    const ms = digit(text, 20) * 100 + twoDigits(text, 21);
    return this.#dateMs + ((hours * 60 + minutes) * 60 + seconds) * 1000 + ms;
  }
}

function twoDigits(text: string, at: number): number {
  return digit(text, at) * 10 + digit(text, at + 1);
}

function digit(text: string, at: number): number {
  return text.charCodeAt(at) - 0x30;
}
