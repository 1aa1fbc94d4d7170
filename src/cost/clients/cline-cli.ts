import { blockKinds } from "./block.ts";
import type { ClientProfile } from "./client-profile.ts";
import { plainProfile, renamed, serverName } from "./common.ts";

// The model reads the result as compact JSON, base64 and `_meta` included.
export const clineCli: ClientProfile = {
  ...plainProfile,
  id: "both",
  names: ["@cline/core", "cline-cli", "cline cli"],
  measured: { version: "3.0.65", on: "2026-11-26", kinds: blockKinds },
  order: "both",
  whole: ({ json }) => [[json()]],
  protocolError: ({ message }) => [[JSON.stringify({ error: message })]],
  definitions: {
    ...plainProfile.definitions,
    form: (tool) => renamed(tool, (name) => `${serverName}__${name}`),
    instructions: () => "",
  },
};
