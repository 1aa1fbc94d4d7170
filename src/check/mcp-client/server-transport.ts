import type { Transport } from "./sdk.ts";
import type { ServerLife } from "./stdio-server.ts";
import type { Traffic } from "./traffic.ts";

export type ServerTransport = Transport & {
  readonly traffic: Traffic;
  readonly life: ServerLife;
  readonly exit: string | undefined;
  /** The server failed on the probe for the newer era as one of the older era may. */
  readonly isToBeAskedAgain: boolean;
  /** UserError, UselessAnswer, or the error itself. */
  explained(error: unknown): unknown;
  kill(): Promise<void>;
};
