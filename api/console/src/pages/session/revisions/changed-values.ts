import type { TFunction } from 'i18next';
import type { Schemas } from '../../../api/client.ts';
import type { Formats } from '../../../texts/formats.ts';
import type { Session } from '../session-queries.ts';
import { wordText } from '../session-words.ts';

/** State of a session before or after a change. */
type State = Pick<
  Schemas['SessionRevision'],
  'startedAt' | 'endedAt' | 'energyKwh' | 'meterStopKwh' | 'stopReason' | 'flags' | 'cost'
>;

/** A change: the revision that it replaced, and the values before and after it. */
export interface Change {
  revision: Schemas['SessionRevision'];
  values: { name: string; before: string; after: string }[];
}

/** Returns the changes of a session, newest first, each with the values that it changed. */
export function changesOf(
  t: TFunction<['session', 'common']>,
  formats: Formats,
  session: Pick<Session, 'revisions'> & State,
): Change[] {
  const { revisions } = session;
  return revisions
    .map((revision, index) => {
      const before = valuesOf(t, formats, revision);
      const after = valuesOf(t, formats, revisions[index + 1] ?? session);
      const values = before.map(([name, value], at) => ({
        name,
        before: value,
        after: after[at]?.[1] ?? '',
      }));
      return { revision, values: values.filter((value) => value.before !== value.after) };
    })
    .toReversed();
}

function valuesOf(
  t: TFunction<['session', 'common']>,
  formats: Formats,
  { startedAt, endedAt, energyKwh, meterStopKwh, stopReason, flags, cost }: State,
): [name: string, value: string][] {
  const none = t('common:none');
  return [
    [t('revisions.started'), formats.dateTime(startedAt)],
    [t('revisions.ended'), formats.dateTime(endedAt)],
    [t('revisions.energy'), `${formats.number(energyKwh, 3)} kWh`],
    [t('revisions.register'), meterStopKwh === null ? none : `${formats.number(meterStopKwh, 3)} kWh`],
    [t('revisions.stopReason'), stopReason === null ? none : wordText(t, stopReason)],
    [t('revisions.flags'), flags.length === 0 ? none : flags.join(', ')],
    [t('revisions.total'), cost === null ? none : formats.money(cost.totalInclVat, cost.currency)],
  ];
}
