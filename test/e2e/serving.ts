import { makeHome, type Home } from "./run.ts";
import { executable } from "../support/servers.ts";
import { StartedProcess } from "../support/started-process.ts";

export type Serving = StartedProcess & { readonly url: URL };

export async function startServe(
  home: Home,
  url: string,
  words: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Serving> {
  const started = new StartedProcess([executable(), "serve", "--url", url, ...words], {
    ...home.env,
    ...env,
  });
  return Object.assign(started, { url: new URL(await started.firstLine()) });
}

export function ownHome(): Home & Disposable {
  const home = makeHome();
  return { ...home, logs: () => home.logs(), [Symbol.dispose]: () => home.remove() };
}
