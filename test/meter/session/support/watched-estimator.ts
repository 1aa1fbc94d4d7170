import type { Estimator } from "#tokens/cost/estimator.ts";
import { plainReader } from "../../../support/plain-reader.ts";

export function watchedEstimator(): { readonly estimator: Estimator; readonly counted: number[] } {
  const counted: number[] = [];
  const count = (text: string): number => {
    counted.push(text.length);
    return text.split(" ").length - 1;
  };
  const begin = (text: string) => {
    let done = 0;
    let tokens = 0;
    return {
      advance(workMax: number) {
        tokens += count(text.slice(done, done + workMax));
        done += workMax;
        return done >= text.length;
      },
      get tokens() {
        return tokens;
      },
    };
  };
  const within = (text: string, limit: number) => {
    const tokens = count(text);
    return tokens <= limit ? tokens : undefined;
  };
  return {
    estimator: { ...plainReader(undefined).estimator, count, begin, countWithin: within },
    counted,
  };
}
