import { api, type Schemas } from '../../api/client.ts';
import { instantOf } from '../../texts/zoned-time.ts';
import type { Family } from './key-queries.ts';

/** Fields of a new key as they are typed. */
export interface KeyDraft {
  name: string;
  description: string;
  /** Id of its network. Null: all networks of the caller. */
  networkUuid: string | null;
  isPublishable: boolean;
  scopes: ReadonlySet<string>;
  expires: string;
  rate: string;
  addresses: string;
}

export const emptyDraft: KeyDraft = {
  name: '',
  description: '',
  networkUuid: null,
  isPublishable: false,
  scopes: new Set(),
  expires: '',
  rate: '',
  addresses: '',
};

type OperatorKey = NonNullable<Schemas['CreateApiKeyRequest']>;
type DriverKey = NonNullable<Schemas['CreatePublicApiKeyRequest']>;

/** Creates the key, whose expiry is typed in a time zone, and returns it with its secret. */
export function createKey(
  family: Family,
  draft: KeyDraft,
  timeZone: string,
): Promise<Schemas['CreatedApiKey']> {
  const { networkUuid, isPublishable } = draft;
  const params = { query: networkUuid === null ? {} : { networkUuid } };
  // The choice offers scopes of the catalog only.
  const scopes = [...draft.scopes];
  if (family === 'cpms') {
    const body = { ...shared(draft, timeZone), scopes: scopes as NonNullable<OperatorKey['scopes']> };
    return api.POST('/cpms/v1/api-keys', { params, body });
  }
  const body: DriverKey = isPublishable
    ? { ...shared(draft, timeZone), keyType: 'Publishable' }
    : { ...shared(draft, timeZone), scopes: scopes as NonNullable<DriverKey['scopes']> };
  return api.POST('/cpms/v1/public-api-keys', { params, body });
}

function shared({ name, description, expires, rate, addresses }: KeyDraft, timeZone: string) {
  const expiresAt = instantOf(expires, timeZone);
  const ranges = addresses.split(/[\s,]+/).filter((range) => range !== '');
  return {
    ...(name.trim() !== '' && { name: name.trim() }),
    ...(description.trim() !== '' && { description: description.trim() }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(rate !== '' && { rateLimitPerHour: Number(rate) }),
    ...(ranges.length > 0 && { allowedIPs: ranges }),
  };
}
