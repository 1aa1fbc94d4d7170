/** Why an entry is not changed: its text would not mean the same, or that cannot be known. */
export type Refusal =
  /** The settings cannot be parsed by the parser that gives places. */
  | "unparsable"
  /** A member on the way to the entry, or one of its command, is there twice. */
  | "duplicate"
  /** There is no such entry, or its command is from elsewhere, as by a merge of YAML. */
  | "missing"
  /** The entry, or its command, has an anchor, an alias or a tag of YAML. */
  | "shared"
  /** Its arguments are not a list. */
  | "arguments"
  /** Its command is not written as one text on one line, or stands where no line can be put in front. */
  | "layout"
  /** The changed text would differ in more than the command. */
  | "meaning"
  /** Unwrapping would not restore the same bytes. */
  | "irreversible";
