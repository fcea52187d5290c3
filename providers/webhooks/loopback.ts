// The names of this machine.

/** Returns whether a host is a name of this machine: `localhost` or anything below it. Ignores a trailing dot. */
export function isLoopbackName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}
