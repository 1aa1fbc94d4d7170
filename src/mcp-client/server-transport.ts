import type { Transport } from "./sdk.ts";
import type { ServerLife } from "./stdio-server.ts";
import type { Traffic } from "./traffic.ts";

/** A transport of the SDK that knows what its server did. */
export type ServerTransport = Transport & {
  readonly traffic: Traffic;
  readonly life: ServerLife;
  /** How the server exited, in words; undefined for one that runs, and for one that we do not start. */
  readonly exit: string | undefined;
  /** True when the server failed on the question of the newer era in a way that one of the older era may fail. */
  readonly isToBeAskedAgain: boolean;
  /** The known cause of an error of the SDK: UserError, or UselessAnswer; the error itself without one. */
  explained(error: unknown): unknown;
  /** Ends the server at once. */
  kill(): Promise<void>;
};
