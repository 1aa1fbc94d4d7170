import { join } from "node:path";
import type { Bench } from "./bench.ts";

/** A way to run a server: alone, behind the smallest wrapper there is, or behind mcp-meter. */
export interface Contestant {
  readonly name: string;
  /** Whether the `log` given to `wrap` will hold records. */
  readonly meters: boolean;
  /** The command line that runs `server`; mcp-meter appends its records to `log`. */
  wrap(server: readonly string[], log: string): readonly string[];
}

export const bare: Contestant = {
  name: "bare server",
  meters: false,
  wrap: (server) => server,
};

/** Five lines of Node: what anybody would write first to stand between client and server. */
export const nodePipe: Contestant = {
  name: "Node pipe",
  meters: false,
  wrap: (server) => ["node", join(import.meta.dir, "node-pipe.mjs"), ...server],
};

/** As a user runs it: metering on, records to a file, summary at exit. */
export function metered(bench: Bench): Contestant {
  return {
    name: "mcp-meter",
    meters: true,
    wrap: (server, log) => [bench.meter, "--log", log, "--", ...server],
  };
}

/** Metering on, no record file: tells what the file costs. */
export function unlogged(bench: Bench): Contestant {
  return {
    name: "mcp-meter --log off",
    meters: false,
    wrap: (server) => [bench.meter, "--log", "off", "--", ...server],
  };
}

/** Everybody, in the order that `comparedOf` relies on. */
export function contestantsOf(bench: Bench): readonly Contestant[] {
  return [bare, nodePipe, metered(bench), unlogged(bench)];
}

/** What the goals compare, out of anything that was made for each of `contestantsOf` in its order. */
export function comparedOf<T>(all: readonly T[]): { direct: T; pipe: T; meter: T } {
  const [direct, pipe, meter] = all;
  if (direct === undefined || pipe === undefined || meter === undefined) {
    throw new Error("Cannot compare: a contestant has no result");
  }
  return { direct, pipe, meter };
}

/** The command line of a fixture server in `servers/`. */
export function fixture(name: string, ...values: readonly number[]): readonly string[] {
  return [process.execPath, join(import.meta.dir, "servers", `${name}.ts`), ...values.map(String)];
}
