import type { ClientProfile } from "./client-profile.ts";
import { plainProfile } from "./common.ts";

export const jetbrains: ClientProfile = {
  ...plainProfile,
  recordedAs: "both",
  client: "jetbrains",
  names: ["jetbrains-*copilot-intellij", "jetbrains with copilot"],
  order: "both",
};
