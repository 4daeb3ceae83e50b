import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Select } from '../../../ui/field.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { PriceTable } from '../../session/price/price-table.tsx';
import type { SimulationSearch } from '../tariff-search.ts';
import { SessionForm } from './session-form.tsx';
import { fieldsOf, searchOf, type SessionFields, sessionOf } from './simulated-session.ts';
import { type Simulation, type Subject, useSimulation } from './use-simulation.ts';
import styles from './simulator.module.css';
import { absent, useFormats } from '../../../texts/formats.ts';

const Chart = lazy(async () => ({ default: (await import('./simulation-chart.tsx')).SimulationChart }));
const Table = lazy(async () => ({ default: (await import('./simulation-table.tsx')).SimulationTable }));

/** Height of the charts in px. */
const chartHeight = 320;

interface Props {
  /** Null: the draft has no prices yet. */
  subject: Subject | null;
  /** Time zone of the network. */
  zone: string | undefined;
  /** The address holds the session and its presentation. */
  search: SimulationSearch;
  onSearch: (changed: SimulationSearch) => void;
}

/** Prices an imagined session, and plots its cost over time. */
export function Simulator({ subject, zone, search, onSearch }: Props) {
  const { t } = useTranslation(['tariffSimulator', 'common']);
  const [fields, setFields] = useState(() => fieldsOf(search, zone));
  const session = sessionOf(fields);
  const { data, error, refetch, isPlaceholderData } = useSimulation(subject, session);
  const change = (changed: Partial<SessionFields>) => {
    const next = { ...fields, ...changed };
    setFields(next);
    if (sessionOf(next) !== null) onSearch(searchOf(next));
  };
  const isTable = search.view === 'table';
  const amounts = search.amounts === 'net' ? 'net' : 'gross';
  return (
    <Card
      title={t('title')}
      actions={
        <>
          <Select
            label={t('amounts')}
            hidesLabel
            options={[
              { id: 'gross', text: t('withVat') },
              { id: 'net', text: t('withoutVat') },
            ]}
            value={amounts}
            onChange={(id) => onSearch({ amounts: id === 'net' ? id : undefined })}
          />
          <Button kind="quiet" onPress={() => onSearch({ view: isTable ? undefined : 'table' })}>
            {t(isTable ? 'common:action.showChart' : 'common:action.showTable')}
          </Button>
        </>
      }
    >
      <SessionForm fields={fields} onChange={change} />
      {session === null || subject === null ? (
        <p className={styles['note']}>{t(session === null ? 'incomplete' : 'noPrices')}</p>
      ) : error !== null ? (
        'tariff' in subject ? (
          <p role="status" className={styles['note']}>
            {t('unpriced', { reason: error.message })}
          </p>
        ) : (
          <ErrorNotice error={error} retry={() => void refetch()} />
        )
      ) : data === undefined ? (
        <Skeleton height={chartHeight} />
      ) : (
        <div className={styles['result']} aria-busy={isPlaceholderData}>
          <Totals simulation={data} timeZone={fields.zone} />
          <Suspense fallback={<Skeleton height={chartHeight} />}>
            {isTable ? (
              <Table simulation={data} timeZone={fields.zone} />
            ) : (
              <Chart simulation={data} charging={session.charging} amounts={amounts} timeZone={fields.zone} />
            )}
          </Suspense>
          <Explanation simulation={data} timeZone={fields.zone} />
        </div>
      )}
    </Card>
  );
}

/** Price of the simulated session, component by component. */
function Explanation({ simulation, timeZone }: { simulation: Simulation; timeZone: string }) {
  const { t } = useTranslation(['tariffSimulator', 'session']);
  const { components, notes } = simulation;
  return (
    <section aria-label={t('explanation')}>
      {components.length > 0 ? (
        <PriceTable price={simulation} timeZone={timeZone} />
      ) : (
        <p className={styles['note']}>{t('free')}</p>
      )}
      {notes.map((note) => (
        <p key={note} className={styles['note']}>
          {t(`session:price.note.${note}`)}
        </p>
      ))}
    </section>
  );
}

/** Sums of a simulation: with and without VAT, energy and duration. */
function Totals({ simulation, timeZone }: { simulation: Simulation; timeZone: string }) {
  const { t } = useTranslation('tariffSimulator');
  const formats = useFormats(timeZone);
  const { currency, totals, series } = simulation;
  const last = series.at(-1);
  const seconds = (Date.parse(last?.time ?? '') - Date.parse(series[0]?.time ?? '')) / 1000;
  const kwh = last?.energyKwh ?? 0;
  const facts = [
    [t('withVat'), formats.money(totals.gross, currency)],
    [t('withoutVat'), formats.money(totals.net, currency)],
    [t('vat'), formats.money(totals.tax, currency)],
    [t('energyTotal'), formats.energy(kwh)],
    [t('perKwh'), kwh === 0 ? absent : formats.money(Number(totals.gross) / kwh, currency)],
    [t('end'), `${formats.shortDateTime(last?.time)} (${formats.duration(seconds)})`],
  ] as const;
  return (
    <dl className={styles['totals']} aria-label={t('totals')}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
