import { useTranslation } from 'react-i18next';
import { absent } from '../../texts/formats.ts';
import { Expiry } from '../charger/certificates/expiry.tsx';
import type { Partner } from './roaming-queries.ts';

/** Registrations without a token of the partner. */
const withoutToken: readonly Partner['registration'][] = ['NONE', 'PREPARED'];

/** Days before the end from which the alert `partner-token-expiring` opens. A token is renewed before. */
const warningDays = 7;

/** End of the token that the partner has for our API, with a warning when it is near or past. */
export function TokenEnd({ partner: { tokenExpiresAt, registration } }: { partner: Partner }) {
  const { t } = useTranslation('roaming');
  if (tokenExpiresAt === null) return withoutToken.includes(registration) ? absent : t('detail.noTokenEnd');
  return <Expiry validTo={tokenExpiresAt} warningDays={warningDays} />;
}
