import { readString } from "#wire/json.ts";
import type { ClientProfile } from "./client-profile.ts";
import { plainProfile } from "./common.ts";

export const cursor: ClientProfile = {
  ...plainProfile,
  client: "cursor",
  names: ["cursor"],
  definitions: {
    ...plainProfile.definitions,
    deferral: "always",
    formatListing: (tool) => `${readString(tool, "name") ?? ""}\n`,
  },
};
