import { keptRandom } from "./identity/kept-random.ts";

// As many as the hash has.
const installationKeyBytes = 32;

const keyFile = "installation-key";

/** Hexadecimal; keeps hashes of command lines from being guessed. Empty when the folder can hold no key: hashes still match from session to session. */
export function installationKey(folder: string | undefined): string {
  return keptRandom(folder, keyFile, installationKeyBytes) ?? "";
}
