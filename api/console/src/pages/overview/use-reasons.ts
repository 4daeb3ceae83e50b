import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { en } from '../../texts/english.ts';
import { useFormats } from '../../texts/formats.ts';
import { isFirmwareFailure, useOcppWords } from '../../texts/ocpp-words.ts';
import { flagText } from '../session/session-words.ts';

type Item = Schemas['WorkItem'];
type Name = keyof Schemas['WorkList'];

/** Returns true for a code that a list of texts has. */
const isIn = <Words extends object>(code: string, words: Words): code is string & keyof Words =>
  Object.hasOwn(words, code);

/** Returns a function that writes the reasons of a record of the work list in the shown language. */
export function useReasons(): (section: Name, item: Item) => string {
  const { t } = useTranslation(['overview', 'session', 'alerts', 'rejectedConnections', 'common']);
  const { t: tSession } = useTranslation(['session', 'common']);
  const formats = useFormats();
  const words = useOcppWords();
  const amountOf = ({ amount, currency }: Item) => (currency === null ? '' : formats.money(amount, currency));
  const writers: Record<Name, (item: Item) => string[]> = {
    faulted: ({ connectorNumber, reasons }) => [
      connectorNumber === null
        ? t('work.reason.charger')
        : t('work.reason.connector', { number: connectorNumber }),
      ...reasons.map(words.errorCode),
    ],
    offline: ({ reasons }) =>
      reasons.map((code) => (isIn(code, en.overview.work.offline) ? t(`work.offline.${code}`) : code)),
    rejected: ({ reasons }) =>
      reasons.map((code) =>
        isIn(code, en.rejectedConnections.reasons) ? t(`rejectedConnections:reasons.${code}`) : code,
      ),
    // The review queue states the other reasons.
    inReview: (item) => [amountOf(item), ...item.reasons.slice(0, 1).map((flag) => flagText(tSession, flag))],
    unpaid: (item) => [t('work.reason.owed', { amount: amountOf(item) })],
    stuckUpdates: ({ reasons }) =>
      reasons.map((status) =>
        isFirmwareFailure(status) ? words.firmware(status) : t('work.reason.noProgress', { status }),
      ),
    alerts: ({ reasons }) =>
      reasons.map((kind) => (isIn(kind, en.alerts.kind) ? t(`alerts:kind.${kind}`) : kind)),
  };
  return (section, item) =>
    writers[section](item)
      .filter((text) => text !== '')
      .join(' · ');
}
