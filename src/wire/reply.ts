/** The line of a JSON-RPC result; `rawId` is the text of the id as the request contains it. */
export function resultLine(rawId: string, result: unknown): Uint8Array {
  return encodeLine(`"id":${rawId},"result":${JSON.stringify(result)}`);
}

/** The line of a JSON-RPC error; `rawId` as for a result. */
export function errorLine(rawId: string, error: unknown): Uint8Array {
  return encodeLine(`"id":${rawId},"error":${JSON.stringify(error)}`);
}

export function notificationLine(method: string, params: unknown): Uint8Array {
  return encodeLine(`"method":${JSON.stringify(method)},"params":${JSON.stringify(params)}`);
}

function encodeLine(members: string): Uint8Array {
  return new TextEncoder().encode(`{"jsonrpc":"2.0",${members}}\n`);
}
