import { join } from "node:path";
import type { Bench } from "./bench.ts";

/** A way to run a server: alone, behind the smallest possible wrapper, or behind mcp-meter. */
export type Contestant = {
  readonly name: string;
  /** Whether the `log` given to `wrap` will contain records. */
  readonly meters: boolean;
  /** The command line that runs `server`; mcp-meter appends its records to `log`. */
  wrap(server: readonly string[], log: string): readonly string[];
};

/** The server without anything in between. */
export const bare: Contestant = {
  name: "bare server",
  meters: false,
  wrap: (server) => server,
};

/** Five lines of Node: the obvious first attempt at standing between client and server. */
export const nodePipe: Contestant = {
  name: "Node pipe",
  meters: false,
  wrap: (server) => ["node", join(import.meta.dir, "node-pipe.mjs"), ...server],
};

/** As a user runs it: metering on, records to a file, summary at exit. */
export function metered(bench: Bench): Contestant {
  return meteredBy("mcp-meter", bench.meter);
}

/** Metering on, without a record file: the difference is the cost of the file. */
function unlogged(bench: Bench): Contestant {
  return {
    name: "mcp-meter --log off",
    meters: false,
    wrap: (server) => [bench.meter, "--log", "off", "--", ...server],
  };
}

/**
 * All contestants of `bench`, in the order that `pickCompared` relies on: the older executable, when there is
 * one to compare with, is the last.
 */
export function listContestants(bench: Bench): readonly Contestant[] {
  const older = bench.against === undefined ? [] : [meteredBy("older mcp-meter", bench.against)];
  return [bare, nodePipe, metered(bench), unlogged(bench), ...older];
}

/** The results that goals and comparisons are about, of results in the order of `listContestants`. */
export type Compared<T> = {
  readonly direct: T;
  readonly pipe: T;
  readonly meter: T;
  readonly older: T | undefined;
};

/** Picks them. Throws an Error when a contestant has no result. */
export function pickCompared<T>(all: readonly T[]): Compared<T> {
  const [direct, pipe, meter, , older] = all;
  if (direct === undefined || pipe === undefined || meter === undefined) {
    throw new Error("Cannot compare: a contestant has no result");
  }
  return { direct, pipe, meter, older };
}

/** The command line of a fixture server in `servers/`. */
export function fixture(name: string, ...values: readonly number[]): readonly string[] {
  return [process.execPath, join(import.meta.dir, "servers", `${name}.ts`), ...values.map(String)];
}

function meteredBy(name: string, executable: string): Contestant {
  return {
    name,
    meters: true,
    wrap: (server, log) => [executable, "--log", log, "--", ...server],
  };
}
