import type { Schemas } from '../../../api/client.ts';

/** Returns the name of a certificate: the common name of its subject, otherwise its serial number. */
export function commonName({ subject, serialNumber }: Schemas['Certificate']): string {
  return commonNameOf(subject) ?? serialNumber;
}

/** Returns the common name in a distinguished name, otherwise all of it. */
export function commonNameOf(name: string | null): string | null {
  const [, common] = /(?:^|[,\n]\s*)CN=([^,\n]+)/.exec(name ?? '') ?? [];
  return common ?? oneLine(name);
}

/** Returns a distinguished name, which has an attribute on each line, as one line. */
export function oneLine(name: string | null): string | null {
  return name?.replaceAll('\n', ', ') ?? null;
}
