/**
 * True for an answer with which a session ends: its client asked for that, or the server knows it no longer. Where limits are
 * enforced only the client can: a server that wishes to exceed a budget per session could begin another one at any time.
 */
export function endsSession(method: string, status: number, isLimited: boolean): boolean {
  if (method === "DELETE") return status < 300 || status === 404;
  return status === 404 && !isLimited;
}
