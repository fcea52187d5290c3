// The environment of each program that `npm start` runs: what the system needs, and of our variables those that it
// reads.
import { type ProcessName, type Variables, variablesOf } from '../../config.ts';

/** Where programs, folders and certificates are, and how the network is reached. None of it opens anything of ours. */
const SYSTEM = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TMPDIR', 'TZ', 'LANG', 'LC_ALL', 'LC_CTYPE', 'LD_LIBRARY_PATH'],
  ...['NODE_ENV', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS', 'NODE_USE_ENV_PROXY', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'],
];
/** The credentials that the machine itself has been given at the object storage, which workers alone reach. */
const MACHINE_CREDENTIALS = /^AWS_/;

/** What a program that is not ours is given: no variable of ours, and no secret of the person who started it. */
export function systemEnvironment(variables: Variables): NodeJS.ProcessEnv {
  return Object.fromEntries(SYSTEM.map((name) => [name, variables[name]]).filter(([, value]) => value !== undefined));
}

/** What one of our processes is given. */
export function environmentOf(process: ProcessName, variables: Variables): NodeJS.ProcessEnv {
  const machine = Object.entries(variables).filter(([name]) => process === 'worker' && MACHINE_CREDENTIALS.test(name));
  return { ...systemEnvironment(variables), ...Object.fromEntries(machine), ...variablesOf(process, variables) };
}
