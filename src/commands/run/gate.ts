import { actions } from "#actions/index.ts";
import { isShared } from "#budgets/budget.ts";
import type { GateOptions } from "#budgets/gate-options.ts";
import { sentences, UserError } from "#errors.ts";
import type { Io } from "#io.ts";
import type { Lock } from "#lock/lock.ts";
import type { ReportFailure } from "#stores/index.ts";
import { spillTo } from "#storage/spill-file.ts";
import { stateFolder } from "#storage/folders.ts";
import type { BudgetOptions } from "./budget-options.ts";

/** The rules of a session with their open counters, and how to close these. */
export type OpenGate = {
  readonly gate: GateOptions | undefined;
  readonly lock: Lock | undefined;
  readonly close: () => void;
};

/** Opens what the options call for; counters that outlive a session only when a budget needs one. */
export async function openGate(
  options: BudgetOptions,
  sessionId: string,
  env: Io["env"],
  report: ReportFailure,
): Promise<OpenGate> {
  const { budgets, repeatsMax, isLockEnforced } = options;
  const lock = await readLock(options.lockFile);
  const isEmpty = budgets.length === 0 && repeatsMax === undefined && !isLockEnforced;
  if (isEmpty) return { gate: undefined, lock, close: () => undefined };
  const folder = stateFolder(env);
  const { openCounterStores } = await import("#stores/index.ts");
  const { close, ...stores } = await openCounterStores({
    isShared: budgets.some(isShared),
    folder,
    holder: sessionId,
    policy: options.onCounterFailure,
    report,
  });
  const gate = { ...options, actions, stores, keep: spillTo(folder, sessionId) };
  return { gate, lock, close };
}

/** The lock in that file. Throws UserError when it is missing or cannot be read. */
async function readLock(file: string | undefined): Promise<Lock | undefined> {
  if (file === undefined) return undefined;
  const { readLockFile } = await import("#storage/lock-file.ts");
  const lock = readLockFile(file);
  if (!lock) throw new UserError(sentences.lockMissing(file));
  return lock;
}
