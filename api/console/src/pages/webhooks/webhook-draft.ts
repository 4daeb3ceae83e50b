import type { Schemas } from '../../api/client.ts';
import type { EventFilter, Webhook } from './webhook-queries.ts';

/** Fields of a webhook as they are edited. */
export interface WebhookDraft {
  url: string;
  description: string;
  types: ReadonlySet<EventFilter>;
  chargerId: string | undefined;
  locationId: string | undefined;
  order: Webhook['order'];
}

export const emptyDraft: WebhookDraft = {
  url: '',
  description: '',
  types: new Set(),
  chargerId: undefined,
  locationId: undefined,
  order: 'object',
};

export function draftOf({ url, description, types, chargerId, locationId, order }: Webhook): WebhookDraft {
  return {
    url,
    description: description ?? '',
    types: new Set(types),
    chargerId: chargerId ?? undefined,
    locationId: locationId ?? undefined,
    order,
  };
}

export type DraftField = keyof WebhookDraft;

/** Returns the fields in which two drafts differ. */
export function differences(one: WebhookDraft, other: WebhookDraft): DraftField[] {
  const text = (value: WebhookDraft[DraftField]) =>
    value instanceof Set ? [...value].toSorted((a, b) => a.localeCompare(b)).join() : value;
  return (Object.keys(one) as DraftField[]).filter((name) => text(one[name]) !== text(other[name]));
}

/** Returns the draft in the form of the API. */
export function bodyOf({ url, description, types, chargerId, locationId, order }: WebhookDraft) {
  const text = description.trim();
  return {
    url: url.trim(),
    description: text === '' ? null : text,
    types: [...types],
    chargerId: chargerId ?? null,
    locationId: locationId ?? null,
    order,
  } satisfies Schemas['UpdateWebhookRequest'];
}

const localHost =
  /^(?:localhost|.*\.(?:local|localhost|internal)|127\..*|10\..*|192\.168\..*|172\.(?:1[6-9]|2\d|3[01])\..*|\[(?:::1|f[cd].*|fe80.*)\])$/i;

/** Returns whether a URL leads to this machine or a private network. */
export function isLocalUrl(url: string): boolean {
  const parsed = URL.parse(url.trim());
  return parsed !== null && localHost.test(parsed.hostname);
}
