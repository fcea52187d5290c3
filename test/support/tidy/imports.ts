// Which folder may import which. Imports point one way: domain ← contracts, db ← providers, plans ← activities ←
// workers. Workflows import the domain and the contracts; the api reaches the engine only through the contracts.
import { builtinModules } from 'node:module';
import type { Finding, Import, Source } from './source.ts';

interface Arrows {
  /** Folders and files that may be imported. */
  values: readonly string[];
  /** Those from which only types may be imported. */
  types?: readonly string[];
  /** Packages that may be imported; any, if left out. */
  packages?: readonly string[];
}

const WORKFLOW_PACKAGES = ['@temporalio/workflow', '@temporalio/common'];
const PURE_PACKAGES = ['temporal-polyfill', 'typeid-js', 'dinero.js'];
/** They compute scales and shapes, which no workflow needs. */
const DRAWING_PACKAGES = ['d3-scale', 'd3-shape'];

const ARROWS: Readonly<Record<string, Arrows>> = {
  domain: { values: ['domain/'], packages: [...PURE_PACKAGES, ...DRAWING_PACKAGES] },
  contracts: { values: ['domain/', 'contracts/'], packages: WORKFLOW_PACKAGES },
  db: { values: ['domain/', 'db/'], types: ['config.ts'] },
  providers: { values: ['domain/', 'contracts/', 'providers/'], types: ['config.ts'] },
  plans: { values: ['domain/', 'contracts/', 'db/', 'plans/'] },
  activities: {
    values: ['domain/', 'contracts/', 'db/', 'providers/', 'plans/', 'activities/'],
    types: ['config.ts'],
  },
  workflows: {
    values: ['domain/', 'contracts/', 'workflows/'],
    types: ['activities/'],
    packages: [...WORKFLOW_PACKAGES, ...PURE_PACKAGES],
  },
  workers: {
    values: ['domain/', 'contracts/', 'db/', 'providers/', 'plans/', 'activities/', 'http/', 'workers/'],
    types: ['config.ts'],
  },
  http: { values: ['domain/', 'db/', 'http/'], types: ['config.ts'] },
  api: {
    values: ['domain/', 'contracts/', 'db/', 'providers/', 'plans/', 'http/', 'api/', 'package.json'],
    types: ['config.ts'],
  },
  clients: { values: ['clients/'], packages: [] },
  'stand-ins': { values: ['stand-ins/'], types: ['config.ts'] },
  auth: { values: ['domain/', 'db/', 'providers/', 'http/', 'auth/', 'package.json'], types: ['config.ts'] },
};

/** They read the configuration and open connections. */
const ENTRY_FILES: readonly string[] = [
  'api/server.ts',
  'auth/server.ts',
  'workers/main.ts',
  'stand-ins/card-processor/main.ts',
];

/** Finds imports that go against the arrows, and imports of our files that do not spell out the file name. */
export function importFindings(source: Source): Finding[] {
  const folder = source.path.includes('/') ? (source.path.split('/')[0] ?? '') : '';
  const arrows = ARROWS[folder];
  return source.imports.flatMap((entry) => {
    const message = namingProblem(entry) ?? (arrows ? arrowProblem(source.path, folder, arrows, entry) : null);
    return message ? [{ path: source.path, line: entry.line, message }] : [];
  });
}

function namingProblem({ target, specifier }: Import): string | null {
  if (target === null || /\.(ts|mjs|js|json)$/.test(target)) return null;
  return `imports '${specifier}' without its ending, write the file's full name`;
}

function arrowProblem(path: string, folder: string, arrows: Arrows, entry: Import): string | null {
  if (entry.target === null) return packageProblem(folder, arrows, entry);
  const isIn = (places: readonly string[] = []) => places.some((place) => entry.target?.startsWith(place));
  if (isIn(arrows.values)) return null;
  if (isIn(arrows.types)) {
    if (entry.isTypeOnly || ENTRY_FILES.includes(path)) return null;
    return `imports a value of ${entry.target}, use "import type" and take the value as an argument`;
  }
  return `${folder} must not import ${entry.target}, use only ${[...arrows.values, ...(arrows.types ?? [])].join(', ')}`;
}

function packageProblem(folder: string, { packages }: Arrows, { specifier, isTypeOnly }: Import): string | null {
  if (!packages || isTypeOnly) return null;
  const isBuiltin = specifier.startsWith('node:') || builtinModules.includes(specifier);
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  if (!isBuiltin && packages.includes(name)) return null;
  return `${folder} must not import '${specifier}', use ${packages.join(', ')} or pass the result in`;
}
