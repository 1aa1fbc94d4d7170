import { compact } from "../format.ts";

export function BudgetMeter(props: { spent: number; held: number; limit: number; name: string }) {
  const { spent, held, limit, name } = props;
  const used = spent + held;
  const share = limit === 0 ? 1 : used / limit;
  return (
    <span class="budget">
      <meter
        min={0}
        max={Math.max(1, limit)}
        low={0.7 * Math.max(1, limit)}
        high={0.9 * Math.max(1, limit)}
        optimum={0}
        value={limit === 0 ? 1 : Math.min(used, limit)}
        aria-label={name}
      >
        {compact(used)}
      </meter>
      <span class={share >= 0.9 ? "budget-share bad" : "budget-share"}>
        {Math.round(share * 100)}%
      </span>
    </span>
  );
}
