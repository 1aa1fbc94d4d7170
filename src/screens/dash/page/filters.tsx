import { periods, type ViewPeriod, type Screen, type ViewHead } from "../view.ts";
import { changed, isEstimatedHead } from "./address.ts";
import { shortName } from "./format.ts";
import { pageSentences } from "./sentences.ts";
import { choice, followed, replaceChoice } from "./state.ts";

const periodLabels: { readonly [period in ViewPeriod]: string } = {
  today: "Today",
  "7d": "7 days",
  "30d": "30 days",
  all: "All",
};

type Filter = "period" | "server" | "client";

const filtersOf: { readonly [screen in Screen]: readonly Filter[] } = {
  overview: ["period", "server", "client"],
  session: [],
  tool: ["period", "client"],
  definitions: ["period", "server", "client"],
  budgets: ["server"],
  trend: ["period", "server", "client"],
};

export function Filters() {
  const current = choice.value;
  const head = followed.value.view?.head;
  const filters = filtersOf[current.screen];
  if (filters.length === 0) return null;
  return (
    <div class="filters" role="group" aria-label="period and filters">
      {filters.includes("period") && <Periods />}
      {filters.includes("server") && (
        <Pick name="server" all="all servers" names={head?.servers ?? []} />
      )}
      {filters.includes("client") && (
        <Pick name="client" all="all clients" names={head?.clients ?? []} />
      )}
      {head && <Estimation head={head} />}
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
          onClick={() => replaceChoice(changed(current, { period }))}
        >
          {periodLabels[period]}
        </button>
      ))}
    </div>
  );
}

function Pick(props: { name: "server" | "client"; all: string; names: readonly string[] }) {
  const current = choice.value;
  const head = followed.value.view?.head;
  // Definitions are those of one server, which the page names where no one is chosen.
  const own = props.name === "server" && current.screen === "definitions" ? ownServer(head) : null;
  const picked = current[props.name] ?? own ?? undefined;
  // A name of the address that is not in the period is still the one that is chosen.
  const isKnown = picked === undefined || props.names.includes(picked);
  const names = isKnown ? props.names : [picked, ...props.names];
  return (
    <select
      aria-label={props.name}
      value={picked ?? ""}
      onChange={(event) => {
        const { value } = event.currentTarget;
        replaceChoice(changed(current, { [props.name]: value === "" ? undefined : value }));
      }}
    >
      {own === null && <option value="">{props.all}</option>}
      {names.map((name) => (
        <option key={name} value={name}>
          {shortName(name, 32)}
        </option>
      ))}
    </select>
  );
}

function ownServer(head: ViewHead | undefined): string | null {
  const { server } = { server: null, ...head };
  return typeof server === "string" ? server : null;
}

const dots = { high: "●●●", medium: "●●○", low: "●○○" } as const;

function Estimation({ head }: { head: ViewHead }) {
  if (!isEstimatedHead(head) || !head.estimation) return null;
  const { estimator, method, encoding, error, confidence } = head.estimation;
  const about = pageSentences.estimator(method, encoding, error);
  const marks = (
    <span class="dots" role="img" aria-label={`confidence ${confidence}`}>
      {dots[confidence]}
    </span>
  );
  if (head.estimators.length < 2) {
    return (
      <span class="estimator" title={about}>
        {estimator} {marks}
      </span>
    );
  }
  return (
    <span class="estimator" title={about}>
      <select
        aria-label="estimator"
        value={estimator}
        onChange={(event) =>
          replaceChoice(changed(choice.value, { estimator: event.currentTarget.value }))
        }
      >
        {head.estimators.map((name) => (
          <option key={name} value={name}>
            {shortName(name, 32)}
          </option>
        ))}
      </select>{" "}
      {marks}
    </span>
  );
}
