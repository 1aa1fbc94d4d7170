/** A failure of Redis, or of the way to it. */
export class RedisFault extends Error {
  /** A system error's code, or the first word of an error of Redis such as `WRONGPASS`, or one of our own such as `NO_DATABASE`. */
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}
