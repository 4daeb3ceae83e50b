import { useTranslation } from 'react-i18next';
import { useFormats } from '../../texts/formats.ts';
import type { Tariff } from './tariff-queries.ts';

/** Time in which a tariff applies. */
export function Validity({ tariff }: { tariff: Tariff }) {
  const { t } = useTranslation('tariffs');
  const formats = useFormats();
  const { start_date_time: from, end_date_time: until } = tariff;
  if (from === null && until === null) return t('valid.always');
  const text =
    from === null
      ? t('valid.until', { date: formats.date(until) })
      : until === null
        ? t('valid.from', { date: formats.date(from) })
        : `${formats.date(from)} – ${formats.date(until)}`;
  return <span title={text}>{text}</span>;
}
