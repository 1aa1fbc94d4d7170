import { periods, screens, type ViewChoice } from "./view.ts";

export function parseChoice(params: URLSearchParams): ViewChoice | undefined {
  const screen = screens.find((one) => one === (params.get("screen") ?? "overview"));
  const period = periods.find((one) => one === (params.get("period") ?? "7d"));
  if (screen === undefined || period === undefined) return undefined;
  const named = (name: string): string | undefined => params.get(name) || undefined;
  return {
    screen,
    period,
    server: named("server"),
    client: named("client"),
    estimator: named("estimator"),
    session: named("session"),
    tool: named("tool"),
  };
}
