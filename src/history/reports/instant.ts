/** RFC 3339. Without a zone a moment would depend on the machine that reads it. */
const dateTime = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

const minuteMs = 60_000;

/** Their local days and weeks have years of four digits in each zone. */
const earliestMs = Date.parse("0001-01-02T00:00:00.000Z");
const latestMs = Date.parse("9999-12-31T00:00:00.000Z");

/** Caches the last hour: consecutive records usually share it. */
export class InstantReader {
  #hour = "";
  #hourMs = Number.NaN;

  /** Milliseconds since 1970 UTC; NaN for a text that is not a moment of the years 1 to 9999. */
  read(text: string): number {
    const isKnown = text.length === 24 && this.#hour !== "" && text.startsWith(this.#hour);
    const restMs = isKnown ? restOfHour(text) : Number.NaN;
    return Number.isNaN(restMs) ? this.#readWhole(text) : this.#hourMs + restMs;
  }

  #readWhole(text: string): number {
    if (!dateTime.test(text)) return Number.NaN;
    const ms = Date.parse(text);
    if (!(ms >= earliestMs && ms < latestMs)) return Number.NaN;
    const hour = text.slice(0, 13);
    const hourMs = Date.parse(`${hour}:00:00.000Z`);
    if (text.endsWith("Z") && !Number.isNaN(hourMs)) [this.#hour, this.#hourMs] = [hour, hourMs];
    return ms;
  }
}

/** Milliseconds of `:45:56.789Z`; NaN for any other text. */
function restOfHour(text: string): number {
  const isWritten =
    text.charAt(13) === ":" &&
    text.charAt(16) === ":" &&
    text.charAt(19) === "." &&
    text.charAt(23) === "Z";
  const [minutes, seconds] = [twoDigits(text, 14), twoDigits(text, 17)];
  const ms = digit(text, 20) * 100 + twoDigits(text, 21);
  return isWritten && minutes < 60 && seconds < 60
    ? minutes * minuteMs + seconds * 1000 + ms
    : Number.NaN;
}

function twoDigits(text: string, at: number): number {
  return digit(text, at) * 10 + digit(text, at + 1);
}

function digit(text: string, at: number): number {
  const value = text.charCodeAt(at) - 0x30;
  return value >= 0 && value <= 9 ? value : Number.NaN;
}
