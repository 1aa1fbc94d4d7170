/** A failure of Redis, or of the way to it. */
export class RedisFault extends Error {
  /** A system error's code, or the first word of an error of Redis such as `WRONGPASS`. */
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}
