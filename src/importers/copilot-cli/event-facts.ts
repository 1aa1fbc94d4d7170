/** The conversation of an event, and its time. */
export type EventFacts = { readonly at: number | null; readonly conversation: string };
