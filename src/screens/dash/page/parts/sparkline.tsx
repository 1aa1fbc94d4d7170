import { tokenText } from "../format.ts";

const height = 18;
const step = 7;

export function Sparkline(props: {
  numbers: readonly number[];
  labels: readonly string[];
  isEstimate: boolean;
}) {
  const { numbers, labels, isEstimate } = props;
  const most = Math.max(1, ...numbers);
  const highest = numbers.indexOf(Math.max(...numbers));
  const text = `most on ${labels[highest] ?? "no day"}: ${tokenText(numbers[highest] ?? 0, isEstimate)}`;
  return (
    <svg
      class="sparkline"
      width={Math.max(1, numbers.length) * step}
      height={height}
      role="img"
      aria-label={text}
    >
      {numbers.map((number, at) => {
        const tall = number === 0 ? 1 : Math.max(2, (number / most) * height);
        return (
          <rect
            key={labels[at] ?? at}
            class={number === 0 ? "track" : at === highest ? "series-0 strong" : "series-0"}
            x={at * step}
            y={height - tall}
            width={step - 2}
            height={tall}
          >
            <title>{`${labels[at] ?? ""}: ${tokenText(number, isEstimate)}`}</title>
          </rect>
        );
      })}
    </svg>
  );
}
