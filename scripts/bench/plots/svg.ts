/** The few parts of SVG that the drawings need, as text: the same figures give the same bytes. */
import { palette } from "./palette.ts";

type Attributes = Readonly<Record<string, string | number>>;

/** One element; its children are markup already. */
export function element(name: string, attributes: Attributes, ...children: string[]): string {
  const written = Object.entries(attributes)
    .map(
      ([key, value]) => ` ${key}="${typeof value === "number" ? round(value) : escapeText(value)}"`,
    )
    .join("");
  const start = `<${name}${written}`;
  return children.length === 0 ? `${start}/>` : `${start}>${children.join("")}</${name}>`;
}

/** A text at a place; `anchor` is the side of it that is there. */
export function label(
  text: string,
  place: { readonly x: number; readonly y: number },
  anchor: "start" | "middle" | "end" = "start",
  className = "label",
): string {
  return element("text", { ...place, "text-anchor": anchor, class: className }, escapeText(text));
}

/** What a pointer that rests there reads. */
export function tooltip(text: string): string {
  return element("title", {}, escapeText(text));
}

function escapeText(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** A tenth of a pixel is enough. */
export function round(value: number): string {
  return String(Math.round(value * 10) / 10);
}

export const width = 800;
const titleHeight = 64;
const padding = 24;

/** The whole drawing around a body of this height, which begins at y = 0; `description` says in words what it shows. */
export function drawing(
  title: string,
  description: string,
  body: { readonly height: number; readonly markup: readonly string[] },
): string {
  const height = titleHeight + body.height + padding;
  const root = {
    xmlns: "http://www.w3.org/2000/svg",
    viewBox: `0 0 ${width} ${round(height)}`,
    width,
    height,
    role: "img",
    "aria-labelledby": "title description",
  };
  return `${element(
    "svg",
    root,
    `\n${element("title", { id: "title" }, escapeText(title))}`,
    `\n${element("desc", { id: "description" }, escapeText(description))}`,
    `\n${element("style", {}, stylesheet)}`,
    `\n${element("rect", { width, height, rx: 8, class: "paper" })}`,
    `\n${label(title, { x: padding, y: 38 }, "start", "heading")}`,
    `\n${element("g", { transform: `translate(0 ${titleHeight})` }, ...body.markup.map((one) => `\n${one}`))}`,
    "\n",
  )}\n`;
}

/** Paper of its own, so that it can be read on any page; dark where the reader's system is. */
const stylesheet = `
text { font-family: system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; font-size: 13px; }
.heading { font-size: 17px; font-weight: 600; }
.value { font-variant-numeric: tabular-nums; }
.note { font-size: 12px; }
.line { fill: none; stroke-width: 2; stroke-linejoin: round; }
.span { stroke-width: 2; opacity: 0.45; }
${shades("light")}
@media (prefers-color-scheme: dark) {
${shades("dark")}
}
`;

function shades(theme: "light" | "dark"): string {
  const [paper, ink, faint, rule] =
    theme === "light"
      ? ["#ffffff", "#1f2328", "#59636e", "#d8dee4"]
      : ["#15191f", "#e6edf3", "#9da7b3", "#343b44"];
  const inks = Object.entries(palette).map(
    ([name, { [theme]: colour }]) =>
      `.fill-${name} { fill: ${colour}; } .stroke-${name} { stroke: ${colour}; }`,
  );
  return [
    `.paper { fill: ${paper}; stroke: ${rule}; }`,
    `.label, .heading, .value { fill: ${ink}; } .note { fill: ${faint}; }`,
    `.grid { stroke: ${rule}; stroke-width: 1; }`,
    `.hollow { fill: ${paper}; stroke-width: 2; }`,
    ...inks,
  ].join("\n");
}
