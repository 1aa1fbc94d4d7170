import { blockKinds } from "./block.ts";
import type { ClientProfile } from "./client-profile.ts";
import { formatLibraryError, plainProfile } from "./common.ts";

// These rules were read in VS Code's source code, not measured.
export const vsCode: ClientProfile = {
  ...plainProfile,
  recordedAs: "structured-first",
  client: "vs-code",
  names: [
    "visual studio code",
    "visual-studio-code",
    "github-copilot-developer",
    "vscode",
    "vs code",
  ],
  order: "prefer-structured",
  besideStructured: blockKinds.filter((kind) => kind !== "text"),
  showsUserBlocks: false,
  renderProtocolError: (error) => [[formatLibraryError(error)]],
};
