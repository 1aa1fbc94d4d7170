import type { CallLook } from "../timeline.ts";

const names: readonly (readonly [look: CallLook, label: string])[] = [
  ["ok", "ok"],
  ["error", "error"],
  ["refused", "refused"],
  ["other", "cancelled, abandoned"],
];

export function OutcomeLegend() {
  return (
    <ul class="legend compact">
      {names.map(([look, label]) => (
        <li key={look}>
          <svg class="swatch" width="9" height="9" aria-hidden="true">
            <path class={`call-key call-${look}`} d="M4.5 0v9" />
          </svg>
          {label}
        </li>
      ))}
    </ul>
  );
}
