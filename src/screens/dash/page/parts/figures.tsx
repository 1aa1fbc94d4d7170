import type { ComponentChildren } from "../preact.ts";

export type Figure = {
  readonly label: string;
  readonly value: ComponentChildren;
  readonly note?: ComponentChildren;
  readonly isMain?: boolean;
  readonly tone?: "bad" | "warn" | undefined;
};

export function Figures(props: { figures: readonly (Figure | false | undefined)[] }) {
  return (
    <dl class="figures">
      {props.figures.map(
        (figure) =>
          figure && (
            <div key={figure.label} class={figure.isMain ? "figure main" : "figure"}>
              <dt>{figure.label}</dt>
              <dd class={figure.tone}>{figure.value}</dd>
              <dd class="note">{figure.note ?? "\u00a0"}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
