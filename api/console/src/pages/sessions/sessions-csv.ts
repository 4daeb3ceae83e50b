import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { csvLine, saveCsv } from '../../ui/csv.ts';
import { notify } from '../../ui/toast.tsx';
import type { SessionRow } from './session-columns.tsx';
import { allSessions, type ListScope } from './sessions-queries.ts';
import type { SessionsSearch } from './sessions-search.ts';

/** Rows of a file; larger ones are an export's. */
const maxRows = 20_000;

/** Fields of the file, with the names of the API. */
const fields: [name: string, value: (session: SessionRow) => string | number | null][] = [
  ['id', ({ id }) => id],
  ['status', ({ status }) => status],
  ['startedAt', ({ startedAt }) => startedAt],
  ['endedAt', ({ endedAt }) => endedAt],
  ['durationSeconds', ({ durationSeconds }) => durationSeconds],
  ['chargerUid', ({ chargerUid }) => chargerUid],
  ['connectorNumber', ({ connectorNumber }) => connectorNumber],
  ['locationName', ({ locationName }) => locationName],
  ['driverName', ({ driverName }) => driverName],
  ['idTag', ({ idTag }) => idTag],
  ['transactionId', ({ transactionId }) => transactionId],
  ['energyKwh', ({ energyKwh }) => energyKwh],
  ['idleSeconds', ({ idleSeconds }) => idleSeconds],
  ['peakPowerKw', ({ peakPowerKw }) => peakPowerKw],
  ['stopReason', ({ stopReason }) => stopReason],
  ['priceState', ({ priceState }) => priceState],
  ['currency', ({ cost }) => cost?.currency ?? null],
  ['totalExclVat', ({ cost }) => cost?.totalExclVat ?? null],
  ['totalVat', ({ cost }) => cost?.totalVat ?? null],
  ['totalInclVat', ({ cost }) => cost?.totalInclVat ?? null],
  ['invoiceNumber', ({ invoiceNumber }) => invoiceNumber],
  ['flags', ({ flags }) => flags.join(' ')],
];

/** Returns the download of the listed sessions as CSV, and the number of rows it has read; null: none runs. */
export function useSessionsCsv(
  search: SessionsSearch,
  scope: ListScope,
): { read: number | null; download: () => void } {
  const { t } = useTranslation('sessions');
  const [read, setRead] = useState<number | null>(null);
  const run = async () => {
    const lines = [csvLine(fields.map(([name]) => name))];
    for await (const sessions of allSessions(search, scope, maxRows)) {
      lines.push(...sessions.map((session) => csvLine(fields.map(([, value]) => value(session)))));
      setRead(lines.length - 1);
    }
    saveCsv('sessions', lines);
    if (lines.length > maxRows) notify('done', t('csvLimited', { count: maxRows }));
  };
  const download = () => {
    setRead(0);
    run()
      .catch((error: unknown) => notify('failed', t('csvFailed', { message: String(error) })))
      .finally(() => setRead(null));
  };
  return { read, download };
}
