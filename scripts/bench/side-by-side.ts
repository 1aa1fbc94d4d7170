import type { Bench } from "./bench.ts";
import type { Contestant } from "./contestants.ts";
import { type Peer, withPeers } from "./peer.ts";
import { newLog } from "./scratch-log.ts";

type Setting = {
  readonly server: readonly string[];
  readonly lifetimeMaxMs: number;
};

/** The result of one contestant, and the file with its records. */
export type Sided<T> = {
  readonly contestant: Contestant;
  readonly log: string;
  readonly result: T;
};

/** Runs all contestants at the same time, each with a server and a record file of its own, for loads that take minutes. */
export async function sideBySide<T>(
  bench: Bench,
  contestants: readonly Contestant[],
  { server, lifetimeMaxMs }: Setting,
  work: (peer: Peer, log: string, place: number) => Promise<T>,
): Promise<readonly Sided<T>[]> {
  const entrants = contestants.map((contestant) => ({ contestant, log: newLog(bench) }));
  const commands = entrants.map(({ contestant, log }) => contestant.wrap(server, log));
  const workAll = (peers: readonly Peer[]) =>
    Promise.all(
      peers.map((peer, place) => work(peer, entrants[place]?.log ?? newLog(bench), place)),
    );
  const results = await withPeers(bench, commands, workAll, lifetimeMaxMs);
  return entrants.flatMap((entrant, place) =>
    results.slice(place, place + 1).map((result) => ({ ...entrant, result })),
  );
}
