import type { DefinitionChange, Values } from "./definition-change.ts";
import type { SchemaPlace } from "./place.ts";

/** The changes of one part of a schema, and the schemas that both sides have, which are yet to be compared. */
export type PartChanges = {
  readonly changes: readonly DefinitionChange[];
  readonly pairs: readonly Pair[];
};

/** Two schemas of one place. */
export type Pair = { readonly values: Values; readonly place: SchemaPlace };
