import { exitCodes, sentences, UserError } from "#errors.ts";
import type { Ending, Io } from "#io.ts";
import { type CounterStatus, statusOf } from "#budgets/counter-status.ts";
import { fitsWildcard } from "#text/wildcard.ts";
import { budgetsDocument } from "#renderers/documents/budgets.ts";
import { render } from "#renderers/index.ts";
import { openExistingStore, type SharedStore } from "#stores/index.ts";
import { stateFolder } from "#storage/state.ts";
import { mayColor } from "#os/output.ts";
import { Teller } from "#text/teller.ts";
import type { Arguments } from "../command.ts";
import { flagOption, textOption } from "../values.ts";

/** Shows every counter of this machine that outlives a session, and empties those of a tool. */
export async function budgets({ options, operands, child }: Arguments, io: Io): Promise<Ending> {
  const [first] = [...operands, ...(child ?? [])];
  if (first !== undefined) throw new UserError(sentences.argumentUnexpected(first));
  const [pattern, isJson] = [textOption(options, "reset"), flagOption(options, "json")];
  const store = await openStore(io.env);
  try {
    if (pattern !== undefined) reset(store, pattern, io);
    const counters = store ? statusesIn(store) : [];
    const printout = { document: budgetsDocument(counters), data: { counters } };
    const color = mayColor(io.stdout, io.env);
    io.stdout.write(render(isJson ? "json" : "table", printout, { color }));
    return { code: exitCodes.ok };
  } finally {
    store?.close();
  }
}

/** The store of this user; undefined when there is none yet. Throws UserError when it cannot be opened. */
async function openStore(env: Io["env"]): Promise<SharedStore | undefined> {
  const folder = stateFolder(env);
  if (folder === undefined) throw new UserError(sentences.countersHomeMissing());
  return openExistingStore(folder, crypto.randomUUID());
}

function statusesIn(store: SharedStore): CounterStatus[] {
  const nowMs = Date.now();
  return store.list().flatMap((stored) => statusOf(stored, nowMs) ?? []);
}

/** A counter of the server as a whole goes by the name `*`, as in its table. */
function reset(store: SharedStore | undefined, pattern: string, io: Io): void {
  const known = new Map(
    (store?.list() ?? []).map((stored) => [stored.key, statusOf(stored, Date.now())]),
  );
  const count = store?.reset((key) => {
    const status = known.get(key);
    return status !== undefined && fitsWildcard(pattern, status.tool ?? "*");
  });
  if (count === undefined || count === 0) throw new UserError(sentences.counterUnknown(pattern));
  new Teller(io.stderr).tell(sentences.countersReset(count));
}
