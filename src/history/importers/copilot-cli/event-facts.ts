export type EventFacts = { readonly at: number | null; readonly conversation: string };
