import { screensWithCosts, periodDays, type ViewName, type ViewHead } from "../view.ts";
import { listPeriods } from "./address.ts";
import { shortenName } from "./format.ts";
import { Segments } from "./parts/elements.tsx";
import { pageSentences } from "./sentences.ts";
import { choice, streamState, replaceChoice } from "./state.ts";

type Filter = "period" | "server" | "client";

const screenFilters: { readonly [screen in ViewName]: readonly Filter[] } = {
  overview: ["period", "server", "client"],
  session: [],
  tool: ["period", "client"],
  definitions: ["period", "server", "client"],
  budgets: ["server"],
  trend: ["period", "server", "client"],
  advice: ["period", "server", "client"],
};

export function Filters() {
  const current = choice.value;
  const head = streamState.value.view?.head;
  const filters = screenFilters[current.screen];
  return (
    <div class="filters" role="group" aria-label="period and filters">
      {filters.includes("period") && (
        <Segments
          label="period"
          options={listPeriods(current, head?.recorded_days ?? periodDays["30d"])}
          picked={current.period}
          onPick={(period) => replaceChoice({ ...current, period })}
        />
      )}
      {(["server", "client"] as const).map(
        (name) =>
          filters.includes(name) && (
            <NamePicker key={name} name={name} names={head?.[`${name}s`] ?? []} />
          ),
      )}
      {screensWithCosts.has(current.screen) && (
        <Segments
          label="cost"
          options={[["on", "$ Cost"]]}
          picked={current.cost === undefined ? undefined : "on"}
          onPick={(on) => replaceChoice({ ...current, cost: current.cost ? undefined : on })}
        />
      )}
      {head && current.screen !== "budgets" && <Estimation head={head} />}
    </div>
  );
}

function NamePicker(props: { name: "server" | "client" | "estimator"; names: readonly string[] }) {
  const current = choice.value;
  const head = streamState.value.view?.head;
  // The definitions screen shows at most one server. If the user chose none, `head.server` names the one shown.
  const shownServer =
    props.name === "server" && current.screen === "definitions" ? findShownServer(head) : null;
  const picked = current[props.name] ?? shownServer ?? undefined;
  const isKnown = picked === undefined || props.names.includes(picked);
  const names = isKnown ? props.names : [picked, ...props.names];
  return (
    <select
      aria-label={props.name}
      value={picked ?? ""}
      onChange={(event) => {
        const { value } = event.currentTarget;
        replaceChoice({ ...current, [props.name]: value === "" ? undefined : value });
      }}
    >
      {shownServer === null && <option value="">all {props.name}s</option>}
      {names.map((name) => (
        <option key={name} value={name}>
          {shortenName(name, 32)}
        </option>
      ))}
    </select>
  );
}

function findShownServer(head: ViewHead | undefined): string | null {
  const server = head && "server" in head ? head.server : null;
  return typeof server === "string" ? server : null;
}

const dots = { high: "●●●", medium: "●●○", low: "●○○" } as const;

function Estimation({ head }: { head: ViewHead }) {
  const { estimation, estimators, counted_by: countedBy } = head;
  const description = estimation
    ? pageSentences.estimator(estimation.method, estimation.encoding, estimation.error)
    : pageSentences.estimators(countedBy);
  const marks = estimation && (
    <span class="dots" role="img" aria-label={`confidence ${estimation.confidence}`}>
      {dots[estimation.confidence]}
    </span>
  );
  return (
    <span class="estimator" title={description}>
      {estimators.length < 2 || head.screen === "session" ? (
        estimation && `counted by ${estimation.estimator}`
      ) : (
        <NamePicker name="estimator" names={estimators} />
      )}{" "}
      {marks}
    </span>
  );
}
