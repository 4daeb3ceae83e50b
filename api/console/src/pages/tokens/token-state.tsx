import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { StateBadge } from '../../ui/state-badge.tsx';

const states = {
  Accepted: 'available',
  Blocked: 'faulted',
  Expired: 'unavailable',
  Invalid: 'unknown',
} as const;

/** State of a token: the answer that chargers receive for it. */
export function TokenState({ status }: Pick<Schemas['IdTokenSummary'], 'status'>) {
  const { t } = useTranslation('tokens');
  return <StateBadge state={states[status]} word={t(`status.${status}`)} />;
}
