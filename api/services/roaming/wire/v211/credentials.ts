import { type Static, Type } from 'typebox';
import { Check } from 'typebox/schema';
import {
  answeredCredentials as answered221,
  type CredentialsBody,
  credentialsView as view221,
  roleFields,
  type SentCredentials,
  tokenPattern,
  urlField,
} from '#api/services/roaming/wire/v221/credentials.ts';

/** Fields of credentials that a partner sends (OCPI 2.1.1): one party. Further fields are ignored. */
export const credentialFields = {
  url: urlField,
  party_id: roleFields.party_id,
  country_code: roleFields.country_code,
  business_details: roleFields.business_details,
};

/** Credentials in a partner's answer. */
const Answer = Type.Object({ ...credentialFields, token: Type.String({ pattern: tokenPattern }) });

/** Converts credentials to the form of 2.2.1: the party is an eMSP. */
export function credentials221({
  party_id,
  country_code,
  business_details,
  ...same
}: Partial<Static<typeof Answer>>): CredentialsBody {
  if (party_id === undefined && country_code === undefined) return same;
  return { ...same, roles: [{ role: 'EMSP', party_id, country_code, business_details }] };
}

/** Returns the credentials of a partner's answer. A missing URL is `versionsUrl`. Null: they cannot be read. */
export function answeredCredentials(data: unknown, versionsUrl: string): SentCredentials | null {
  return Check(Answer, data) ? answered221(credentials221(data), versionsUrl) : null;
}

/** Converts our credentials. */
export function credentialsView(credentials: SentCredentials) {
  const { token, url, roles } = view221('2.2.1', credentials);
  const [role] = roles;
  if (role === undefined || !('party_id' in role)) throw new Error('our credentials have no role');
  const { party_id, country_code, business_details } = role;
  return { token, url, business_details, party_id, country_code };
}
