import { userInfo } from "node:os";
import type { Installation } from "#commands/doctor/finding.ts";

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
    unknownVariables: [],
    ...told,
  };
}
