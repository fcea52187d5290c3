// The environment of each program that `npm start` runs: what the system needs, plus those of our variables that it
// reads.
import { type ProcessName, type Variables, variablesOf } from '../../config.ts';

/** Locations of programs, folders and certificates, and network settings. None of these grants access to us. */
const SYSTEM = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TMPDIR', 'TZ', 'LANG', 'LC_ALL', 'LC_CTYPE', 'LD_LIBRARY_PATH'],
  ...[
    'NODE_ENV',
    'NODE_OPTIONS',
    'NODE_COMPILE_CACHE',
    'NODE_EXTRA_CA_CERTS',
    'NODE_USE_ENV_PROXY',
    'SSL_CERT_FILE',
    'SSL_CERT_DIR',
  ],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'],
];
/** The machine's own credentials for the object storage, and the processes that use it. */
const MACHINE_CREDENTIALS = /^AWS_/;
const REACH_STORAGE: readonly ProcessName[] = ['api', 'worker'];

/** The environment of a third-party program: none of our variables, and no secrets of the person who started it. */
export function systemEnvironment(variables: Variables): NodeJS.ProcessEnv {
  return Object.fromEntries(SYSTEM.map((name) => [name, variables[name]]).filter(([, value]) => value !== undefined));
}

/** The environment of one of our processes. */
export function environmentOf(process: ProcessName, variables: Variables): NodeJS.ProcessEnv {
  const machine = Object.entries(variables).filter(
    ([name]) => REACH_STORAGE.includes(process) && MACHINE_CREDENTIALS.test(name),
  );
  return { ...systemEnvironment(variables), ...Object.fromEntries(machine), ...variablesOf(process, variables) };
}
