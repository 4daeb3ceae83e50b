import type { TFunction } from 'i18next';
import { absent, type Formats } from '../../texts/formats.ts';
import { type Column, columnsOf } from '../../ui/table/columns.ts';
import type { SessionRow } from '../sessions/session-columns.tsx';

/** Columns of the sessions in review: reported values beside plausible ones. */
export function reviewColumns(t: TFunction<['review']>, formats: Formats): Column<SessionRow>[] {
  const money = (amount: number | null | undefined, session: SessionRow) =>
    session.cost === null ? absent : formats.money(amount, session.cost.currency);
  return columnsOf(
    {
      ended: { width: 136, cell: ({ endedAt }) => formats.shortDateTime(endedAt) },
      charger: {
        width: 118,
        grow: true,
        cell: ({ chargerUid, connectorNumber }) => `${chargerUid} · ${connectorNumber}`,
      },
      reasons: {
        width: 76,
        grow: true,
        cell: ({ review }) => review?.reasons.map((reason) => t(`reason.${reason}`)).join(', '),
      },
      energy: { width: 94, isNumber: true, cell: ({ energyKwh }) => formats.energy(energyKwh) },
      plausible: {
        width: 94,
        isNumber: true,
        cell: ({ review }) => formats.energy(review?.plausible.energyKwh),
      },
      price: { width: 90, isNumber: true, cell: (session) => money(session.cost?.totalInclVat, session) },
    },
    (id) => (id === 'ended' ? `${t('column.ended')} (${formats.timeZone})` : t(`column.${id}`)),
  );
}
