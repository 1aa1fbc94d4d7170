import { HttpFault } from "#http1/http-fault.ts";

/** Statuses of answers to requests that are not read. */
export type RejectedStatus = 400 | 408 | 413 | 431 | 501 | 503;

/** A request that is not read: its connection ends behind the answer. */
export class RequestFault extends Error {
  readonly status: RejectedStatus;

  constructor(status: RejectedStatus) {
    super(`request rejected with ${status}`);
    this.name = "RequestFault";
    this.status = status;
  }
}

/** The status of the answer to a request that could not be read; headers that the runtime rejects are not valid either. */
export function rejectedStatus(error: unknown): RejectedStatus {
  if (error instanceof RequestFault) return error.status;
  return error instanceof HttpFault && error.code === "HPE_HEADER_OVERFLOW" ? 431 : 400;
}
