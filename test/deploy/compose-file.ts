// docker-compose.yml, parsed: its services, and the environment that each of them gets.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Variables } from '../../config.ts';
import { ROOT } from '../scripts/run-script.ts';
import { filled } from './filled-variables.ts';

export interface Service {
  image: string;
  build?: string;
  command?: string[];
  entrypoint?: string[];
  environment?: Record<string, string>;
  healthcheck?: { test: string[]; interval: string };
  restart?: string;
  logging?: { driver: string; options: Record<string, string> };
  deploy?: { replicas: number };
  volumes?: string[];
  depends_on?: Record<string, { condition: string }>;
  networks?: string[];
  ports?: string[];
  profiles?: string[];
}

export const text = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8');
export const compose = parse(text, { merge: true }) as {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
  networks: Record<string, { internal?: boolean } | null>;
};
export const services = Object.entries(compose.services);
/** Those that run this repository's image. */
export const ours = services.filter(([, { build }]) => build !== undefined);

/**
 * A service's environment when every variable in the file has a value, so that no other service's variable hides by
 * being empty.
 */
export function environmentOf(name: string): Variables {
  const { environment = {} } = compose.services[name] ?? {};
  const fill = (value: string) => value.replaceAll(/\$\{(\w+)[^}]*\}/g, (_, variable) => filled(variable));
  return Object.fromEntries(Object.entries(environment).map(([variable, value]) => [variable, fill(value)]));
}
