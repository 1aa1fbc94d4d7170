export type MessageFacts = { readonly at: number | null; readonly conversation: string };
