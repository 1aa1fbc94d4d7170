/** An answer of ours; `rawId` is the id's own text, as the request wrote it. */
export function resultLine(rawId: string, result: unknown): Uint8Array {
  return line(`"id":${rawId},"result":${JSON.stringify(result)}`);
}

/** The same for an error. */
export function errorLine(rawId: string, error: unknown): Uint8Array {
  return line(`"id":${rawId},"error":${JSON.stringify(error)}`);
}

export function notificationLine(method: string, params: unknown): Uint8Array {
  return line(`"method":${JSON.stringify(method)},"params":${JSON.stringify(params)}`);
}

function line(members: string): Uint8Array {
  return new TextEncoder().encode(`{"jsonrpc":"2.0",${members}}\n`);
}
