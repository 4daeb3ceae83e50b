import type { RoamingDeps } from './deps.ts';
import {
  type CredentialsRole,
  type OcpiEndpoint,
  type OcpiVersion,
  ocpiVersions,
  modulesIn,
} from '#shared/domain/roaming/ocpi.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { findNetworkById } from '#shared/postgres/fleet/network-details.ts';

/** Returns the URL of our versions endpoint. */
export function ourVersionsUrl({ settings }: Pick<RoamingDeps, 'settings'>): string {
  return `${settings.publicUrl}/ocpi/versions`;
}

/** Returns our OCPI versions, with the URLs of their endpoints. */
export function ourVersions({
  settings,
}: Pick<RoamingDeps, 'settings'>): { version: OcpiVersion; url: string }[] {
  const spoken: readonly OcpiVersion[] = settings.ocpiStrict ? ocpiVersions : ['2.2'];
  return spoken.map((version) => ({ version, url: `${settings.publicUrl}/ocpi/${version}` }));
}

/** Returns our endpoints of a version's modules. */
export function ourEndpoints(
  { settings }: Pick<RoamingDeps, 'settings'>,
  version: OcpiVersion,
): OcpiEndpoint[] {
  const base = `${settings.publicUrl}/ocpi`;
  return modulesIn(version).map(([identifier, role]) => ({
    identifier,
    role,
    url:
      identifier === 'credentials'
        ? `${base}/${version}/credentials`
        : `${base}/cpo/${version}/${identifier}`,
  }));
}

/** The role that one of our networks plays. */
export async function ourRole({ sql }: { sql: Queryable }, networkId: number): Promise<CredentialsRole> {
  const { countryCode, partyId, legalName, name, website, logoUrl } = await findNetworkById(sql, networkId);
  return {
    role: 'CPO',
    countryCode,
    partyId,
    businessDetails: { name: legalName ?? name, website, logoUrl },
  };
}
