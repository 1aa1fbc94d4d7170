export class RedisFault extends Error {
  /** A system error code, the first word of a Redis error such as `WRONGPASS`, or ours such as `NO_DATABASE`. */
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}
