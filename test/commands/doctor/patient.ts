import { userInfo } from "node:os";
import type { Installation } from "#commands/doctor/finding.ts";
import { runCommand } from "#commands/run/index.ts";

export function makeInstallation(
  env: { readonly [name: string]: string },
  told: Partial<Installation> = {},
): Installation {
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
