import { userInfo } from "node:os";
import type { Patient } from "#commands/doctor/finding.ts";
import { runCommand } from "#commands/run/index.ts";

export function patient(
  env: { readonly [name: string]: string },
  told: Partial<Patient> = {},
): Patient {
  const { uid } = userInfo();
  return {
    env,
    platform: "linux",
    uid,
    executable: "/own/mcp-meter",
    run: runCommand,
    unknownVariables: [],
    ...told,
  };
}
