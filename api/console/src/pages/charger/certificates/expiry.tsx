import { CircleAlert, TriangleAlert } from '../../../ui/icons/icons.ts';
import { useTranslation } from 'react-i18next';
import { absent, useFormats } from '../../../texts/formats.ts';
import { useNow } from '../../../ui/time.tsx';
import styles from './certificates.module.css';

const dayMs = 86_400_000;

interface Props {
  validTo: string | null;
  /** Days before the end from which it is a warning. */
  warningDays?: number;
}

/** End of the validity of a certificate or token, with a warning when it is near or past. */
export function Expiry({ validTo, warningDays = 30 }: Props) {
  const { t } = useTranslation('certificates');
  const formats = useFormats();
  const now = useNow();
  if (validTo === null) return absent;
  const days = Math.floor((Date.parse(validTo) - now) / dayMs);
  if (days >= warningDays) return formats.date(validTo);
  const isPast = days < 0;
  const Icon = isPast ? CircleAlert : TriangleAlert;
  return (
    <span className={styles['expiry']} data-past={isPast}>
      <Icon aria-hidden size={15} />
      {formats.date(validTo)} · {isPast ? t('expired') : t('daysLeft', { count: days })}
    </span>
  );
}
