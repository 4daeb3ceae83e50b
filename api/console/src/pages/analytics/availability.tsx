import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Download } from '../../ui/icons/icons.ts';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { useCan } from '../../app/caller.tsx';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { useFormats } from '../../texts/formats.ts';
import { useOcppWords } from '../../texts/ocpp-words.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { csvLine, saveCsv } from '../../ui/csv.ts';
import { Empty, QueryPending } from '../../ui/notice.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { availabilityQuery, availabilityWindow } from './analytics-queries.ts';
import type { AnalyticsSearch, Window } from './analytics-search.ts';
import styles from './heat-map.module.css';
import tables from './tables.module.css';

type Report = Schemas['AnalyticsAvailability'];

/** Share of time in each state, the chargers that were available least, and the most frequent faults. */
export function Availability({ search, window }: { search: AnalyticsSearch; window: Window }) {
  const { t } = useTranslation('analytics');
  const network = useNetworkQuery();
  const { data, error, refetch } = useQuery(availabilityQuery(search, network, window));
  const isCut = availabilityWindow(window).from > window.from;
  const download = () =>
    saveCsv('analytics-availability', [
      csvLine(['id', 'name', 'location', 'availabilityPercent', 'observedHours', 'faults', 'faultHours']),
      ...(data?.groups ?? []).map((group) =>
        csvLine([
          group.id,
          group.name,
          group.detail,
          group.availabilityPercent,
          group.observedHours,
          group.faults,
          group.faultHours,
        ]),
      ),
    ]);
  return (
    <Card
      title={t('availability.title')}
      actions={
        <Button kind="quiet" onPress={download} isDisabled={data === undefined}>
          <Download aria-hidden size={15} />
          {t('csv')}
        </Button>
      }
    >
      {data === undefined ? (
        <QueryPending query={{ error, refetch }} height={288} />
      ) : data.totals.availabilityPercent === null ? (
        <Empty title={t('availability.none')} />
      ) : (
        <>
          <Shares totals={data.totals} />
          <div className={styles['columns']}>
            <Lowest groups={data.groups} />
            <Faults report={data} />
          </div>
          <p className={tables['note']}>{t(isCut ? 'availability.cut' : 'availability.note')}</p>
        </>
      )}
    </Card>
  );
}

function Shares({ totals }: { totals: Report['totals'] }) {
  const { t } = useTranslation('analytics');
  const formats = useFormats();
  return (
    <>
      <p className={styles['figure']}>
        <strong>
          {formats.percent(totals.availabilityPercent === null ? null : totals.availabilityPercent / 100)}
        </strong>{' '}
        {t('availability.share')}
      </p>
      <div aria-hidden className={styles['bar']}>
        {totals.states.map(
          ({ state, hours }) =>
            hours > 0 && (
              <span key={state} style={{ flexGrow: hours, background: `var(--state-${state})` }} />
            ),
        )}
      </div>
      <ul className={styles['states']}>
        {totals.states
          .filter(({ hours }) => hours > 0)
          .map(({ state, percent, hours }) => (
            <li key={state}>
              <StateBadge state={state} />
              <strong>{formats.percent(percent / 100)}</strong>
              <span className={styles['muted']}>{formats.number(hours, hours < 100 ? 1 : 0)} h</span>
            </li>
          ))}
      </ul>
    </>
  );
}

function Lowest({ groups }: { groups: Report['groups'] }) {
  const { t } = useTranslation('analytics');
  const formats = useFormats();
  const opens = useCan('cpms:read:chargers');
  return (
    <div className={tables['wide']}>
      <table className={tables['table']} aria-label={t('availability.lowest')}>
        <thead>
          <tr>
            <th scope="col">{t('availability.lowest')}</th>
            <th scope="col">{t('availability.available')}</th>
            <th scope="col">{t('availability.faults')}</th>
          </tr>
        </thead>
        <tbody>
          {groups.map(({ id, name, detail, availabilityPercent, faults }) => (
            <tr key={id ?? ''}>
              <th scope="row">
                {opens && id !== null ? (
                  <Link to="/fleet/chargers/$uuid" params={{ uuid: id }}>
                    {name}
                  </Link>
                ) : (
                  name
                )}
                <span className={tables['detail']}>{detail}</span>
              </th>
              <td>{availabilityPercent === null ? '–' : formats.percent(availabilityPercent / 100)}</td>
              <td>{formats.integer(faults)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Faults({ report: { totals, faultCodes } }: { report: Report }) {
  const { t } = useTranslation('analytics');
  const formats = useFormats();
  const words = useOcppWords();
  return (
    <div>
      <h3>
        {t('availability.faultsOf', {
          count: totals.faults,
          duration: formats.duration(totals.faultHours * 3600),
        })}
      </h3>
      {faultCodes.length > 0 && (
        <div className={tables['wide']}>
          <table className={tables['table']} aria-label={t('availability.code')}>
            <thead>
              <tr>
                <th scope="col">{t('availability.code')}</th>
                <th scope="col">{t('availability.faults')}</th>
                <th scope="col">{t('availability.time')}</th>
              </tr>
            </thead>
            <tbody>
              {faultCodes.map(({ code, faults, hours }) => (
                <tr key={code ?? ''}>
                  <th scope="row">{code === null ? t('availability.noCode') : words.errorCode(code)}</th>
                  <td>{formats.integer(faults)}</td>
                  <td>{formats.number(hours, 1)} h</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}
