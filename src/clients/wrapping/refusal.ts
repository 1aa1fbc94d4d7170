export type Refusal =
  | "unparsable"
  /** A member on the path to the entry, or of its command, is there twice. */
  | "duplicate"
  /** Missing, or merged from elsewhere by YAML. */
  | "missing"
  /** A YAML anchor, alias or tag. */
  | "shared"
  | "arguments"
  /** The command is not one text on one line, or nothing can be put before it. */
  | "layout"
  | "meaning"
  | "irreversible";
