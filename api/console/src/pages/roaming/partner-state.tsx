import type { ChargerState } from '#shared/domain/fleet/charger-state.ts';
import { useTranslation } from 'react-i18next';
import { StateBadge } from '../../ui/state-badge.tsx';
import type { PartnerRow } from './roaming-queries.ts';

const ofRegistration: Record<PartnerRow['registration'], ChargerState> = {
  NONE: 'unknown',
  INVITED: 'reserved',
  PREPARED: 'reserved',
  EXCHANGING: 'occupied',
  ANSWERED: 'occupied',
  REGISTERED: 'available',
  RENEWING: 'occupied',
};

/** State of the registration of a partner, or its suspension. */
export function RegistrationState({ partner }: { partner: Pick<PartnerRow, 'registration' | 'status'> }) {
  const { t } = useTranslation('roaming');
  if (partner.status === 'SUSPENDED') return <StateBadge state="unavailable" word={t('suspended')} />;
  const { registration } = partner;
  return <StateBadge state={ofRegistration[registration]} word={t(`registration.${registration}`)} />;
}

/** Health of the pushes to a partner. */
export function PushHealth({ partner }: { partner: Pick<PartnerRow, 'status' | 'push'> }) {
  const { t } = useTranslation('roaming');
  const { breaker, failures, waiting, lastSentAt, lastFailedAt } = partner.push;
  // A refused object waits for its next attempt, while the partner answers.
  const isRefusing = waiting > 0 && lastFailedAt !== null && (lastSentAt ?? '') < lastFailedAt;
  const isUnused = lastSentAt === null && lastFailedAt === null;
  if (partner.status !== 'REGISTERED' || isUnused)
    return <StateBadge state="unknown" word={t('health.none')} />;
  if (breaker !== 'CLOSED') return <StateBadge state="faulted" word={t('health.paused')} />;
  if (failures > 0 || isRefusing) return <StateBadge state="unavailable" word={t('health.failing')} />;
  return <StateBadge state="available" word={t('health.good')} />;
}
