import { installationKeyBytes } from "#limits/budgets.ts";
import { keptRandom } from "./identity/kept-random.ts";

/** File name of the key in the state folder. */
const keyFile = "installation-key";

/**
 * The secret of this installation, hexadecimal, which keeps hashes of command lines from being guessed. It is made when
 * it is missing. Empty when the folder can hold no key: hashes are the same from session to session all the same.
 */
export function installationKey(folder: string | undefined): string {
  return keptRandom(folder, keyFile, installationKeyBytes) ?? "";
}
