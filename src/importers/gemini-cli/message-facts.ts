/** The conversation of a message, and its time. */
export type MessageFacts = { readonly at: number | null; readonly conversation: string };
