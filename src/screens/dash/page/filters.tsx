import { costedScreens, periods, type ViewPeriod, type Screen, type ViewHead } from "../view.ts";
import { shortenName } from "./format.ts";
import { pageSentences } from "./sentences.ts";
import { choice, streamState, replaceChoice } from "./state.ts";

const periodLabels: { readonly [period in ViewPeriod]: string } = {
  today: "Today",
  "7d": "7 days",
  "30d": "30 days",
  all: "All",
};

type Filter = "period" | "server" | "client";

const screenFilters: { readonly [screen in Screen]: readonly Filter[] } = {
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
      {filters.includes("period") && <Periods />}
      {filters.includes("server") && (
        <NamePicker name="server" all="all servers" names={head?.servers ?? []} />
      )}
      {filters.includes("client") && (
        <NamePicker name="client" all="all clients" names={head?.clients ?? []} />
      )}
      {costedScreens.has(current.screen) && <CostSwitch />}
      {head && current.screen !== "budgets" && <Estimation head={head} />}
    </div>
  );
}

function Periods() {
  const current = choice.value;
  return (
    <div class="segments" role="group" aria-label="period">
      {periods.map((period) => (
        <button
          key={period}
          type="button"
          aria-pressed={period === current.period}
          onClick={() => replaceChoice({ ...current, period })}
        >
          {periodLabels[period]}
        </button>
      ))}
    </div>
  );
}

function CostSwitch() {
  const current = choice.value;
  const isOn = current.cost !== undefined;
  return (
    <div class="segments">
      <button
        type="button"
        aria-pressed={isOn}
        title={pageSentences.costHint}
        onClick={() => replaceChoice({ ...current, cost: isOn ? undefined : "on" })}
      >
        $ Cost
      </button>
    </div>
  );
}

function NamePicker(props: {
  name: "server" | "client" | "estimator";
  all: string;
  names: readonly string[];
}) {
  const current = choice.value;
  const head = streamState.value.view?.head;
  // The definitions screen always shows one server; if none was chosen, the view says which.
  const listedServer =
    props.name === "server" && current.screen === "definitions" ? findListedServer(head) : null;
  const picked = current[props.name] ?? listedServer ?? undefined;
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
      {listedServer === null && <option value="">{props.all}</option>}
      {names.map((name) => (
        <option key={name} value={name}>
          {shortenName(name, 32)}
        </option>
      ))}
    </select>
  );
}

function findListedServer(head: ViewHead | undefined): string | null {
  const { server } = { server: null, ...head };
  return typeof server === "string" ? server : null;
}

const dots = { high: "●●●", medium: "●●○", low: "●○○" } as const;

function Estimation({ head }: { head: ViewHead }) {
  const { estimation, estimators, counted_by: counted } = head;
  const description = estimation
    ? pageSentences.estimator(estimation.method, estimation.encoding, estimation.error)
    : pageSentences.estimators(counted);
  const marks = estimation && (
    <span class="dots" role="img" aria-label={`confidence ${estimation.confidence}`}>
      {dots[estimation.confidence]}
    </span>
  );
  return (
    <span class="estimator" title={description}>
      {estimators.length < 2 || head.screen === "session" ? (
        estimation?.estimator
      ) : (
        <NamePicker name="estimator" all="all estimators" names={estimators} />
      )}{" "}
      {marks}
    </span>
  );
}
