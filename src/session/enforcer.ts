import type { MeterOptions } from "./event.ts";
import { Gate } from "#budgets/gate.ts";
import { Gatekeeper, type Lines, type Surroundings } from "#budgets/gatekeeper.ts";
import type { LockWatch } from "#lock/lock-watch.ts";

/** What enforcing asks of the meter around it. */
export type EnforcerAround = Omit<Surroundings, "errorForm"> & {
  /** Counts everything that waits to be counted. */
  readonly countAll: () => void;
};

/** The gate and its keeper for what the options enforce; undefined when they enforce nothing. */
export function enforcerOf(
  { enforcement, serverLabel, serverLabelFallback }: MeterOptions,
  watch: LockWatch | undefined,
  around: EnforcerAround,
  lines: Lines,
): { readonly gate: Gate; readonly keeper: Gatekeeper } | undefined {
  if (!enforcement) return undefined;
  const { countAll } = around;
  const isChanged = (tool: string | null): boolean => {
    // A list is compared when it has been counted, so one that was given must be counted now.
    countAll();
    return watch?.isChanged(tool) ?? false;
  };
  const gate = new Gate({
    ...enforcement,
    server: serverLabel ?? serverLabelFallback,
    isChanged: enforcement.isLockEnforced ? isChanged : undefined,
    countAll,
  });
  const { errorForm } = enforcement;
  return { gate, keeper: new Gatekeeper(gate, { ...around, errorForm }, lines) };
}
