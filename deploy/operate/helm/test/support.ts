import { parseAllDocuments } from 'yaml';

/** Fields of an object of Kubernetes that are checked alongside its schema. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  spec: Record<string, unknown>;
}

/** Returns the objects of rendered manifests. */
export function manifestsOf(rendered: string): Manifest[] {
  return parseAllDocuments(rendered)
    .map((document) => document.toJSON() as Manifest | null)
    .filter((manifest) => manifest !== null);
}

type Model = new (data: object) => { validate(): void };

/**
 * Checks an object against the schema of its kind.
 * @throws {Error} with the faults, or when no schema of the kind is known.
 */
export async function validate(manifest: Manifest): Promise<void> {
  const { apiVersion, kind } = manifest;
  const source = apiVersion.startsWith('monitoring.coreos.com/')
    ? '@kubernetes-models/prometheus-operator'
    : 'kubernetes-models';
  const models = (await import(`${source}/${apiVersion}`)) as Record<string, Model>;
  const Kind = models[kind];
  if (Kind === undefined) throw new Error(`no schema of ${apiVersion} ${kind}`);
  new Kind(manifest).validate();
}

/** Fields of a pod that are checked. */
export interface Pod {
  terminationGracePeriodSeconds?: number;
  automountServiceAccountToken?: boolean;
  securityContext: Record<string, unknown>;
  volumes?: { name: string; secret?: { secretName: string; items?: { key: string; path: string }[] } }[];
  containers: {
    image: string;
    args: string[];
    env?: { name: string; value: string }[];
    envFrom?: { secretRef: { name: string } }[];
    ports?: { name: string; containerPort: number }[];
    volumeMounts?: { name: string; mountPath: string; readOnly?: boolean }[];
    securityContext: Record<string, unknown>;
    readinessProbe?: { httpGet: { path: string; port: string } };
    livenessProbe?: { httpGet: { path: string; port: string } };
  }[];
}

/** Returns the pod that an object makes, or null. */
export function podOf({ spec }: Manifest): Pod | null {
  const template = spec['template'] as { spec: Pod } | undefined;
  return template?.spec ?? null;
}
