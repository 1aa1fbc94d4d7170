import type { ComponentChildren } from "../preact.ts";

export function Heading(props: { children: ComponentChildren; isHidden?: boolean }) {
  return (
    <h1 tabIndex={-1} class={props.isHidden ? "hidden" : undefined}>
      {props.children}
    </h1>
  );
}
