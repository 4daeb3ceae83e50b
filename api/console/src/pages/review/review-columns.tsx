import type { TFunction } from 'i18next';
import { absent, type Formats } from '../../texts/formats.ts';
import type { Column } from '../../ui/table/columns.ts';
import type { SessionRow } from '../sessions/session-columns.tsx';

/** Columns of the sessions in review: reported and plausible values. */
export function reviewColumns(t: TFunction<['review']>, formats: Formats): Column<SessionRow>[] {
  const money = (amount: number | null | undefined, session: SessionRow) =>
    session.cost === null ? absent : formats.money(amount, session.cost.currency);
  return [
    {
      id: 'ended',
      title: `${t('column.ended')} (${formats.timeZone})`,
      width: 136,
      cell: ({ endedAt }) => formats.shortDateTime(endedAt),
    },
    {
      id: 'charger',
      title: t('column.charger'),
      width: 118,
      grow: true,
      cell: ({ chargerUid, connectorNumber }) => `${chargerUid} · ${connectorNumber}`,
    },
    {
      id: 'reasons',
      title: t('column.reasons'),
      width: 76,
      grow: true,
      cell: ({ review }) => review?.reasons.map((reason) => t(`reason.${reason}`)).join(', '),
    },
    {
      id: 'energy',
      title: t('column.energy'),
      width: 94,
      isNumber: true,
      cell: ({ energyKwh }) => formats.energy(energyKwh),
    },
    {
      id: 'plausible',
      title: t('column.plausible'),
      width: 94,
      isNumber: true,
      cell: ({ review }) => formats.energy(review?.plausible.energyKwh),
    },
    {
      id: 'price',
      title: t('column.price'),
      width: 90,
      isNumber: true,
      cell: (session) => money(session.cost?.totalInclVat, session),
    },
  ];
}
