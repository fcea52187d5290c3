// The names of this machine.

/** Says whether a host is a name of this machine: `localhost`, or anything below it. The dot at the end is left out. */
export function isLoopbackName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}
