import { useTranslation } from 'react-i18next';
import { absent, useFormats } from '../../../texts/formats.ts';
import type { Simulation } from './use-simulation.ts';
import styles from './simulator.module.css';

/** Sums of a simulation: with and without VAT, energy and duration. */
export function Totals({ simulation, timeZone }: { simulation: Simulation; timeZone: string }) {
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
