import { OutboundError } from '#api/services/access/outbound.ts';
import type { RoamingDeps } from '#api/services/roaming/deps.ts';
import {
  callPartner,
  type CalledPartner,
  isSuccess,
  type PartnerAnswer,
} from '#api/services/roaming/partner-calls.ts';
import { serializerFor } from '#api/services/roaming/wire/serializer.ts';
import { interfaceRoles, type OcpiEndpoint, type OcpiVersion } from '#shared/domain/roaming/ocpi.ts';
import type { HandshakeStep } from '#shared/domain/roaming/registration.ts';

/** Reason that a step of a handshake failed at the other side. */
export type HandshakeFault =
  | 'address-refused'
  | 'unreachable'
  | 'unauthorized'
  | 'refused'
  | 'version-unsupported'
  | 'endpoints-missing'
  | 'credentials-invalid';

/** A step of a handshake that failed at the other side. */
export class HandshakeError extends Error {
  readonly step: HandshakeStep;
  readonly fault: HandshakeFault;
  readonly url: string;

  constructor(step: HandshakeStep, fault: HandshakeFault, url: string, message: string) {
    super(message);
    this.name = 'HandshakeError';
    this.step = step;
    this.fault = fault;
    this.url = url;
  }
}

type Deps = Pick<RoamingDeps, 'outbound' | 'exchanges' | 'secrets'>;

/** Version agreed with a party, and the endpoints that it serves in it. */
export interface Discovered {
  version: OcpiVersion;
  endpoints: OcpiEndpoint[];
}

/**
 * Reads the versions of a party, chooses the highest of ours that it lists, and reads its endpoints.
 * @param spoken our versions, in ascending order.
 * @param onStep is called after each step.
 * @throws {HandshakeError} of the steps versions and details.
 */
export async function discover(
  deps: Deps,
  party: CalledPartner,
  versionsUrl: string,
  spoken: readonly OcpiVersion[],
  onStep: (step: HandshakeStep) => void = () => undefined,
): Promise<Discovered> {
  const { data } = await askParty(deps, party, 'versions', { method: 'GET', url: versionsUrl });
  const versions = listOf(data, ['version', 'url']);
  const version = spoken.findLast((ours) => versions.some((entry) => entry['version'] === ours));
  const entry = versions.find((candidate) => candidate['version'] === version);
  if (version === undefined || entry === undefined) {
    const listed =
      versions
        .map((candidate) => candidate['version'])
        .slice(0, 20)
        .join(', ') || 'none';
    throw new HandshakeError('versions', 'version-unsupported', versionsUrl, listed);
  }
  onStep('versions');
  const url = entry['url'] ?? '';
  const details = (
    await askParty(deps, { ...party, ocpiVersion: version }, 'details', { method: 'GET', url })
  ).data;
  const list =
    typeof details === 'object' && details !== null && 'endpoints' in details ? details.endpoints : [];
  const endpoints = listOf(list, ['identifier', 'url'])
    .slice(0, maxEndpoints)
    .map((listed) => toEndpoint(version, listed))
    .filter(isUsable);
  if (credentialsUrl(endpoints) === undefined) {
    throw new HandshakeError(
      'details',
      'endpoints-missing',
      url,
      'no usable endpoint of the module credentials',
    );
  }
  onStep('details');
  return { version, endpoints };
}

/** Returns the URL of a party's credentials. */
export function credentialsUrl(endpoints: readonly OcpiEndpoint[]): string | undefined {
  return endpoints.find(({ identifier }) => identifier === 'credentials')?.url;
}

/**
 * Sends a request of a handshake.
 * @throws {HandshakeError} unless the party accepts it.
 */
export async function askParty(
  deps: Deps,
  party: CalledPartner,
  step: HandshakeStep,
  request: { method: 'GET' | 'POST' | 'PUT' | 'DELETE'; url: string; body?: unknown },
): Promise<PartnerAnswer> {
  const module = step === 'credentials' ? 'credentials' : 'versions';
  try {
    const answer = await callPartner(deps, party, { module, ...request });
    if (isSuccess(answer)) return answer;
    const { httpStatus, statusCode, statusMessage } = answer;
    const fault = httpStatus === 401 || httpStatus === 403 ? 'unauthorized' : 'refused';
    const message = statusMessage === null ? '' : ` (${statusMessage.slice(0, 200)})`;
    const why = `HTTP ${httpStatus}, status_code ${statusCode ?? 'none'}${message}`;
    throw new HandshakeError(step, fault, request.url, why);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const fault = error.fault === 'address-refused' ? 'address-refused' : 'unreachable';
    throw new HandshakeError(step, fault, request.url, `${error.fault}: ${error.message}`);
  }
}

/** Those entries of a list that have all these texts. */
function listOf(data: unknown, names: string[]): Record<string, string>[] {
  if (!Array.isArray(data)) return [];
  return data.filter(
    (entry: unknown): entry is Record<string, string> =>
      typeof entry === 'object' &&
      entry !== null &&
      names.every((name) => typeof (entry as Record<string, unknown>)[name] === 'string'),
  );
}

/** More than there are modules and sides of them. */
const maxEndpoints = 100;

/** Returns whether an endpoint's URL is usable at all; its address is checked at each call. */
function isUsable({ identifier, url }: OcpiEndpoint): boolean {
  const isPlain = identifier.length <= 64 && url.length <= 1024 && !/\p{Cc}/u.test(identifier + url);
  return isPlain && /^https?:/i.test(url) && URL.canParse(url);
}

function toEndpoint(version: OcpiVersion, listed: Record<string, string>): OcpiEndpoint {
  const { identifier = '', role, url = '' } = listed;
  const known = interfaceRoles.find((candidate) => candidate === role);
  return { identifier, role: serializerFor(version).endpointRole(identifier, known), url };
}
