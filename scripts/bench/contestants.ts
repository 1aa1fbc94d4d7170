import { join } from "node:path";
import type { Bench } from "./bench.ts";

/** How a contestant takes part; each load names the roles that it compares. */
export type Role =
  "bare" | "pipe" | "tee" | "smallest" | "meter" | "unlogged" | "gated" | "portable" | "older";

/** The name of each role in tables and drawings. */
export const contestantNames: Readonly<Record<Role, string>> = {
  bare: "bare server",
  pipe: "Node pipe",
  tee: "C tee",
  smallest: "Bun spawn",
  meter: "mcp-meter",
  unlogged: "mcp-meter --log off",
  gated: "mcp-meter, gated",
  portable: "mcp-meter, portable",
  older: "older mcp-meter",
};

/** All that forward the bytes of a session, and the bare server. */
export const everyRole: readonly Role[] = [
  "bare",
  "pipe",
  "tee",
  "meter",
  "unlogged",
  "gated",
  "portable",
  "older",
];

/** A way to run a server: alone, behind the smallest possible wrappers, or behind mcp-meter. */
export type Contestant = {
  readonly role: Role;
  readonly name: string;
  /** Whether the `log` given to `wrap` will contain records. */
  readonly meters: boolean;
  /** The command line that runs `server`; mcp-meter appends its records to `log`. */
  wrap(server: readonly string[], log: string): readonly string[];
};

/** The server without anything in between. */
const bare: Contestant = {
  role: "bare",
  name: contestantNames.bare,
  meters: false,
  wrap: (server) => server,
};

/** Five lines of Node: the obvious first attempt at standing between client and server. */
export const nodePipe: Contestant = {
  role: "pipe",
  name: contestantNames.pipe,
  meters: false,
  wrap: (server) => ["node", join(import.meta.dir, "node-pipe.mjs"), ...server],
};

/** A budget that no session uses up: what may be refused is held until it is judged. */
const hugeBudget = ["--budget", "1000000M/session"];

/** `env` becomes the program that it starts, so that the process keeps its pid. */
const portably = ["env", "MCP_METER_FORWARDER=portable"];

/** As a user runs it: metering on, records to a file, summary at exit. */
export function metered(bench: Bench): Contestant {
  return {
    role: "meter",
    name: contestantNames.meter,
    meters: true,
    wrap: (server, log) => [bench.meter, "--log", log, "--", ...server],
  };
}

/** Those of these roles that there are, in this order: the C tee needs a compiler, the older executable `--against`. */
export function listContestants(bench: Bench, roles: readonly Role[]): readonly Contestant[] {
  const all = [bare, nodePipe, ...compiled(bench), ...meters(bench)];
  return roles.flatMap((role) => all.filter((contestant) => contestant.role === role));
}

function compiled({ tee, smallest }: Bench): readonly Contestant[] {
  return (
    [
      ["tee", tee],
      ["smallest", smallest],
    ] as const
  ).flatMap(([role, executable]) =>
    executable === undefined
      ? []
      : {
          role,
          name: contestantNames[role],
          meters: false,
          wrap: (server) => [executable, ...server],
        },
  );
}

function meters(bench: Bench): readonly Contestant[] {
  const { meter, against } = bench;
  const variants: readonly Contestant[] = [
    metered(bench),
    {
      role: "unlogged",
      name: contestantNames.unlogged,
      meters: false,
      wrap: (server) => [meter, "--log", "off", "--", ...server],
    },
    {
      role: "gated",
      name: contestantNames.gated,
      meters: true,
      wrap: (server, log) => [meter, "--log", log, ...hugeBudget, "--", ...server],
    },
    {
      role: "portable",
      name: contestantNames.portable,
      meters: true,
      wrap: (server, log) => [...portably, meter, "--log", log, "--", ...server],
    },
  ];
  if (against === undefined) return variants;
  const older: Contestant = {
    role: "older",
    name: contestantNames.older,
    meters: true,
    wrap: (server, log) => [against, "--log", log, "--", ...server],
  };
  return [...variants, older];
}

type Result = { readonly contestant: Pick<Contestant, "role"> };

/** The result of the contestant with this role. Throws an Error when there is none. */
export function pick<T extends Result>(results: readonly T[], role: Role): T {
  const found = pickOptional(results, role);
  if (found === undefined) throw new Error(`Cannot compare: "${role}" has no result`);
  return found;
}

/** The same of a contestant that may be absent, as the C tee and the older executable. */
export function pickOptional<T extends Result>(results: readonly T[], role: Role): T | undefined {
  return results.find(({ contestant }) => contestant.role === role);
}

/** The command line of a fixture server in `servers/`. */
export function fixture(name: string, ...values: readonly number[]): readonly string[] {
  return [process.execPath, join(import.meta.dir, "servers", `${name}.ts`), ...values.map(String)];
}
