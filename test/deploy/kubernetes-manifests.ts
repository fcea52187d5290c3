// The manifests in deploy/kubernetes, and the schemas that Kubernetes publishes for them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { ROOT } from '../scripts/run-script.ts';

const FOLDER = join(ROOT, 'deploy/kubernetes');

export interface Container {
  name: string;
  image: string;
  args: string[];
  envFrom: Record<'configMapRef' | 'secretRef', { name: string } | undefined>[];
  resources: { requests: Record<string, string>; limits: Record<string, string> };
  securityContext: Record<string, unknown>;
  startupProbe?: object;
  livenessProbe?: object;
  readinessProbe?: object;
}

interface Pods {
  securityContext: { runAsNonRoot: boolean };
  enableServiceLinks: boolean;
  terminationGracePeriodSeconds?: number;
  volumes?: { name: string; emptyDir?: { sizeLimit?: string } }[];
  containers: [Container];
}

type Labels = Readonly<Record<string, string>>;

/** What the tests read from any manifest. */
export interface Manifest {
  file: string;
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  spec: {
    template?: { metadata: { labels: Labels }; spec: Pods };
    selector?: { matchLabels?: Labels };
    scaleTargetRef?: { name: string };
    minReplicas?: number;
    metrics?: { external?: { metric: { name: string; selector: { matchLabels: Labels } } } }[];
  };
}

/** A kustomize file. */
export interface Kustomization {
  resources: string[];
  configMapGenerator?: { name: string; literals: string[] }[];
  secretGenerator?: { name: string; envs: [string] }[];
}

/** Returns the text of a file below the folder. */
export function textOf(file: string): string {
  return readFileSync(join(FOLDER, file), 'utf8');
}

/** Returns a kustomize file. */
export function kustomization(folder: string): Kustomization {
  return parse(textOf(join(folder, 'kustomization.yaml')));
}

/** Returns every manifest, expanding lists. */
export function manifests(): Manifest[] {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.yaml'));
  return files.flatMap((file) => {
    const documents = parseAllDocuments(textOf(file), { merge: true }).map((document) => document.toJS());
    const found = documents.flatMap((each) => (each.kind === 'List' ? each.items : [each]));
    return found.filter(({ kind = 'Kustomization' }) => kind !== 'Kustomization').map((each) => ({ file, ...each }));
  });
}

/** The part of a schema's name that says which API it belongs to. */
const GROUPS: Readonly<Record<string, string>> = {
  v1: 'CoreV1',
  'apps/v1': 'AppsV1',
  'autoscaling/v2': 'AutoscalingV2',
  'batch/v1': 'BatchV1',
  'networking.k8s.io/v1': 'NetworkingV1',
  'policy/v1': 'PolicyV1',
};

interface Validator {
  (value: unknown): boolean;
  errors?: { instancePath: string; params: object }[] | null;
}

/** Returns what Kubernetes would refuse in a manifest, one line each. */
export async function faultsOf({ file, ...manifest }: Manifest): Promise<string[]> {
  const schema = `kubernetes-models/_schemas/IoK8sApi${GROUPS[manifest.apiVersion]}${manifest.kind}`;
  const { validate } = (await import(schema)) as { validate: Validator };
  const name = `${file} ${manifest.kind} ${manifest.metadata.name}`;
  if (!validate(manifest)) {
    return (validate.errors ?? []).map((error) => `${name} ${error.instancePath}: ${JSON.stringify(error.params)}`);
  }
  return unknownFields(validate, manifest, manifest).map((path) => `${name} ${path}: no such field`);
}

/** No field accepts this value, so a schema that does not object to it does not know the field. */
const OF_NO_TYPE = Symbol('of no type');

function unknownFields(validate: Validator, whole: object, part: object, path = ''): string[] {
  const holder = part as Record<string, unknown>;
  return Object.entries(holder).flatMap(([name, value]) => {
    holder[name] = OF_NO_TYPE;
    const isKnown = !validate(whole);
    holder[name] = value;
    const inner = typeof value === 'object' && value !== null ? value : {};
    return isKnown ? unknownFields(validate, whole, inner, `${path}/${name}`) : [`${path}/${name}`];
  });
}
