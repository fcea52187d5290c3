// The gateway of Docker Compose: docker/Caddyfile on a real Caddy, if there is one on PATH.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch } from '../../../scripts/start/child.ts';
import { systemEnvironment } from '../../../scripts/start/environment.ts';
import { isTaken } from '../../../scripts/start/ports.ts';
import { eventually } from '../eventually.ts';
import { freePort } from './free-port.ts';
import { onPath } from './on-path.ts';

const CADDYFILE = join(import.meta.dirname, '../../../docker/Caddyfile');
const STOP_GRACE_MS = 5_000;
const program = onPath('caddy');

export const hasCaddy = program !== null;

/** The message for a test that needs it. */
export const NO_CADDY = 'no caddy on PATH';

export interface Gateway {
  apiUrl: string;
  stop: () => Promise<void>;
}

interface GatewayOptions {
  /** Which name server knows `api` and `auth`. */
  nameServer: string;
  /** The port on which every api process listens, and every auth process. */
  servicePort: number;
}

/** Starts it without TLS, on ports of its own. The caller stops it. */
export async function startGateway({ nameServer, servicePort }: GatewayOptions): Promise<Gateway> {
  if (program === null) throw new Error(NO_CADDY);
  const [apiPort, authPort, adminPort, healthPort] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const folder = mkdtempSync(join(tmpdir(), 'bindery-gateway-'));
  const file = join(folder, 'Caddyfile');
  writeFileSync(file, onPorts({ nameServer, servicePort, healthPort }));
  const sites = { API_SITE: `http://127.0.0.1:${apiPort}`, AUTH_SITE: `http://127.0.0.1:${authPort}` };
  const child = await launch({
    ...{ name: 'gateway', command: program, args: ['run', '--config', file, '--adapter', 'caddyfile'] },
    env: {
      ...systemEnvironment(process.env),
      ...{ ...sites, TRUSTED_PROXIES: '192.0.2.1/32', CADDY_ADMIN: `127.0.0.1:${adminPort}`, XDG_DATA_HOME: folder },
      ...{ XDG_CONFIG_HOME: folder },
    },
  });
  await eventually(() => isTaken(apiPort), { what: 'the gateway to listen' });
  return {
    apiUrl: sites.API_SITE,
    stop: async () => {
      await child.stop(STOP_GRACE_MS);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What differs on one machine: which name server answers, and the ports. */
function onPorts({ nameServer, servicePort, healthPort }: GatewayOptions & { healthPort: number }): string {
  const parts: [string, string][] = [
    ['refresh 2s', `refresh 2s\n\t\t\tresolvers ${nameServer}`],
    ['import pass api 8787', `import pass api ${servicePort}`],
    ['import pass auth 8788', `import pass auth ${servicePort}`],
    ['http://:8080', `http://:${healthPort}`],
  ];
  return parts.reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`docker/Caddyfile lacks "${from}"`);
      return text.replaceAll(from, to);
    },
    readFileSync(CADDYFILE, 'utf8'),
  );
}
