import { actions } from "#meter/actions/index.ts";
import { isShared } from "#meter/budgets/budget.ts";
import type { BudgetUser, GateOptions } from "#meter/budgets/gate-options.ts";
import type { Io } from "#kit/io.ts";
import { hidesTools, isHiddenTool } from "#lock/hidden-tools.ts";
import { findLoginName, nameCounterOwner } from "#state/storage/identity/counter-owner.ts";
import { makeSpiller } from "#state/storage/spill-file.ts";
import { findStateFolder } from "#state/storage/folders.ts";
import type { OpenStores, StoreOptions } from "#state/stores/store.ts";
import { type Limits, needsGate, refusesCalls } from "./budget-options.ts";
import type { UserChoice } from "./identity-options.ts";
import type { RunOptions } from "./options.ts";
import type { Tell } from "#kit/text/teller.ts";

export type OpenGate = {
  readonly gate: GateOptions | undefined;
  readonly close?: OpenStores["close"];
  /** Writes unsaved spending to the shared counters. A process that is killed loses its unsaved spending. */
  readonly save?: OpenStores["save"];
  readonly nameServer?: (name: string) => void;
  readonly subscribe?: OpenStores["subscribe"];
};

export type OpenCounters = (setting: CounterOptions, report: ReportFault) => Promise<OpenStores>;

export type CounterOptions = Pick<
  StoreOptions,
  "isShared" | "folder" | "holder" | "policy" | "redis"
>;

type GateContext = {
  readonly options: Limits & Pick<RunOptions, "server" | "command" | keyof UserChoice>;
  readonly sessionId: string;
  readonly env: Io["env"];
  readonly spillFolder: string | undefined;
  readonly callPrices?: GateOptions["callPrices"];
  readonly openCounters?: OpenCounters | undefined;
};

export async function openGate(
  {
    options,
    sessionId,
    env,
    spillFolder,
    callPrices,
    openCounters = openSeparateCounters,
  }: GateContext,
  report: ReportFault,
): Promise<OpenGate> {
  if (!needsGate(options)) return { gate: undefined };
  const { budgets, onCounterFailure: policy, redis } = options;
  const folder = findStateFolder(env);
  const owner = findCounterOwner(options, folder);
  const setting = { isShared: budgets.some(isShared), folder, holder: sessionId, policy, redis };
  const { nameServer, session, shared, ...rest } = await openCounters(setting, report);
  const folders = { named: spillFolder, state: folder };
  const saveAnswer = makeSpiller(folders, sessionId, (sentence, what) =>
    report(sentence, what, "saved answers"),
  );
  const isClosed = refusesCalls(options);
  const user = findBudgetUser(options, env);
  const isHidden = hidesTools(options.trim)
    ? (tool: string | null): boolean => isHiddenTool(options.trim, tool)
    : undefined;
  const rules = { ...options, actions, callPrices, isClosed, isHidden };
  const stores = { session, shared };
  const gate = { ...rules, counterOwner: owner, user, stores, saveAnswer };
  return {
    ...rest,
    gate,
    nameServer: (name) => {
      if (owner !== undefined && owner !== name) nameServer?.(owner, name);
    },
  };
}

export function findCounterOwner(
  { server, command, budgets }: Pick<RunOptions, "server" | "command" | "budgets">,
  folder: string | undefined,
): string | undefined {
  return server ?? (budgets.some(isShared) ? nameCounterOwner(command, folder) : undefined);
}

export function findBudgetUser({ user, recordsLogin }: UserChoice, env: Io["env"]): BudgetUser {
  return user === undefined
    ? { name: findLoginName(env), isRecorded: recordsLogin }
    : { name: user, isRecorded: user !== "" };
}

async function openSeparateCounters(
  setting: CounterOptions,
  report: ReportFault,
): Promise<OpenStores> {
  const { openCounterStores } = await import("#state/stores/index.ts");
  return openCounterStores({ ...setting, report });
}

/** `sentence` is for the user, and `what` for records. With an empty `what`, nothing is recorded. */
export type ReportFault = (sentence: string, what: string, where?: string) => void;

type Fault = { readonly where: string; readonly what: string };

export class FaultReporter {
  readonly #tell: Tell;
  readonly #waiting: Fault[] = [];
  #record: ((fault: Fault) => void) | undefined;

  constructor(tell: Tell) {
    this.#tell = tell;
  }

  readonly report: ReportFault = (sentence, what, where = "budget counters") => {
    this.#tell(sentence);
    if (what !== "") this.note(where, what);
  };

  note(where: string, what: string): void {
    if (this.#record) this.#record({ where, what });
    else this.#waiting.push({ where, what });
  }

  recordWith(record: (fault: Fault) => void): void {
    this.#record = record;
    for (const fault of this.#waiting.splice(0)) record(fault);
  }
}
