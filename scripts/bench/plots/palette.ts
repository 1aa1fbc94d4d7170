import { contestantNames, type Role } from "../contestants.ts";

type Shades = { readonly light: string; readonly dark: string };

/** One colour a role in every drawing; `other` is for what is no contestant. Each has a contrast of 3 to its paper. */
export const palette: Readonly<Record<Role | "other", Shades>> = {
  bare: { light: "#6e7781", dark: "#8b949e" },
  pipe: { light: "#b35900", dark: "#f0a050" },
  tee: { light: "#1a7f37", dark: "#56d364" },
  smallest: { light: "#cf222e", dark: "#ff7b72" },
  meter: { light: "#0550ae", dark: "#58a6ff" },
  unlogged: { light: "#0a8ea0", dark: "#4ecbd9" },
  gated: { light: "#8250df", dark: "#bc8cff" },
  portable: { light: "#bf3989", dark: "#ff8fc7" },
  older: { light: "#9a6700", dark: "#d9b13b" },
  other: { light: "#57606a", dark: "#9da7b3" },
};

/** The name of the colour of a contestant. */
export function colourName(contestant: string): Role | "other" {
  const roles = Object.keys(contestantNames) as Role[];
  return roles.find((role) => contestantNames[role] === contestant) ?? "other";
}
