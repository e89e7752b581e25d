/**
 * The addresses whose pages may sign in and act. With a public address it is that one; without, the two names of this
 * machine, since people type either and browsers take them for two different sites.
 */
export function trustedOrigins({ url, port }: { url: string | null; port: number }): string[] {
  if (url !== null) return [new URL(url).origin];
  return [`http://localhost:${port}`, `http://127.0.0.1:${port}`];
}
