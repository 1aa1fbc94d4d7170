import { afterEach, beforeEach, setDefaultTimeout } from "bun:test";
import { type Home, makeHome, waitMaxMs } from "./run.ts";

export function eachHome(): Home {
  setDefaultTimeout(waitMaxMs);
  let current: Home | undefined;
  const home = (): Home => {
    if (!current) throw new Error("no test has begun");
    return current;
  };
  beforeEach(() => {
    current = makeHome();
  });
  afterEach(() => home().remove());
  return {
    get path() {
      return home().path;
    },
    get env() {
      return home().env;
    },
    logs: () => home().logs(),
    remove: () => home().remove(),
  };
}
