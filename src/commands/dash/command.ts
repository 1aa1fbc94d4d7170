import { DashModel } from "#dash/model/model.ts";
import { pageAssets } from "#dash/server/assets.ts";
import { type DashServer, startDash } from "#dash/server/server.ts";
import { viewOf } from "#dash/views/index.ts";
import { sentences, UserError } from "#errors.ts";
import type { Ending, Io } from "#io.ts";
import { dashClockMs } from "#limits/dash.ts";
import type { PriceBook } from "#money/price-book.ts";
import { stateFolder } from "#storage/folders.ts";
import { sessionsFolder } from "#storage/live/session-files.ts";
import { SessionFollower } from "#storage/live/session-follower.ts";
import { Teller } from "#text/teller.ts";
import { openPrices, readNamedPrices } from "../price-options.ts";
import { rangeOf, zoneNamed } from "../report/usage.ts";
import { PageCounters } from "./counters.ts";
import { PageNotes } from "./notes.ts";
import { openPage } from "./open-page.ts";
import type { DashOptions } from "./options.ts";
import { readModel } from "./read-model.ts";

/** Serves the page until a signal ends it. */
export async function dash(options: DashOptions, io: Io): Promise<Ending> {
  const folder = stateFolder(io.env);
  if (folder === undefined) throw new UserError(sentences.stateHomeMissing());
  const model = newModel(options);
  const prices = await openPrices(options, await readNamedPrices(options));
  const notes = new PageNotes();
  const server = servePage({ options, io, model, prices, notes });
  const { tell } = new Teller(io.stderr);
  io.stdout.write(`${server.url}\n`);
  tell(sentences.dashServing());
  if (options.isOpened)
    openPage(server.url, { folder, path: io.env["PATH"], platform: io.platform, tell });
  const follower = new SessionFollower(sessionsFolder(folder), (record) => model.take(record));
  try {
    follower.start();
    await readModel(model, { folder, notes, prices });
    await server.ended;
  } finally {
    follower.close();
    server.close();
  }
  return { code: 0 };
}

/** A model of whole days. Throws UserError for a time zone that is none. */
function newModel({ since, timezone }: DashOptions): DashModel {
  const zone = zoneNamed(timezone);
  const { fromMs } = rangeOf({ since, until: undefined }, undefined, zone, Date.now());
  return new DashModel(zone, zone.startOf(zone.dayOf(fromMs)));
}

type PageParts = {
  readonly options: DashOptions;
  readonly io: Io;
  readonly model: DashModel;
  readonly prices: PriceBook | undefined;
  readonly notes: PageNotes;
};

/** Throws UserError when the port is taken. */
function servePage({ options, io, model, prices, notes }: PageParts): DashServer {
  const assets = pageAssets();
  if (assets.size === 0) throw new UserError(sentences.dashPageMissing());
  const counters = new PageCounters(io.env, notes.tell);
  return startDash(options.port, {
    assets,
    view: (choice) => {
      const nowMs = Date.now();
      return viewOf(model, choice, { nowMs, notes: notes.all, counters: counters.all, prices });
    },
    version: () => {
      const nowMs = Date.now();
      counters.refresh(nowMs);
      const clock = Math.floor(nowMs / dashClockMs);
      return [model.version, notes.version, counters.version, clock].join(" ");
    },
  });
}
