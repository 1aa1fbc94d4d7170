import type { Io } from "#kit/io.ts";
import type { Finding } from "#screens/renderers/documents/doctor.ts";
import type { UnknownVariable } from "../command.ts";

export const faultsShownMax = 10;

export type Installation = Pick<Io, "env" | "platform"> & {
  readonly uid: number;
  readonly executable: string;
  readonly unknownVariables: readonly UnknownVariable[];
};

export type Examine = (
  installation: Installation,
) => readonly Finding[] | Promise<readonly Finding[]>;

export function ok(check: string, detail: string): Finding {
  return { check, status: "ok", detail, fix: null };
}

export function warning(check: string, detail: string, fix: string | null): Finding {
  return { check, status: "warning", detail, fix };
}

export function broken(check: string, detail: string, fix: string | null): Finding {
  return { check, status: "broken", detail, fix };
}
