/** Why an answer cannot be read, as a code for sentences. */
export type HttpFaultCode = "ECONNRESET" | "HPE_INVALID_ANSWER" | "HPE_HEADER_OVERFLOW";

/** An answer that is not valid HTTP, or that breaks off. */
export class HttpFault extends Error {
  readonly code: HttpFaultCode;

  constructor(code: HttpFaultCode) {
    super(code);
    this.name = "HttpFault";
    this.code = code;
  }
}

/** The reason why an answer could not be read; headers that the runtime rejects are not valid either. */
export function faultOf(error: unknown): HttpFault {
  return error instanceof HttpFault ? error : malformed();
}

/** An answer that breaks a rule of RFC 9112. */
export function malformed(): HttpFault {
  return new HttpFault("HPE_INVALID_ANSWER");
}
