import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useCan } from '../../app/caller.tsx';
import { notifyFailure, useChange } from '../../app/use-change.ts';
import { useFormats } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { TriangleAlert } from '../../ui/icons/icons.ts';
import { ObjectHeader } from '../../ui/object-header.tsx';
import { QueryPending } from '../../ui/notice.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { LoadHistory } from './load-history.tsx';
import { loadPlanQuery, type LoadSite, loadSiteQuery } from './load-queries.ts';
import styles from './load.module.css';
import { SiteDiagram } from './site-diagram.tsx';
import { connectorName, TreeEditor } from './tree-editor.tsx';
import { WhatIf } from './what-if.tsx';

const tabs = ['live', 'history', 'what-if', 'edit'] as const;

/** One site with load management: its limits now, their history, what-ifs and the editor of its tree. */
export function LoadSitePage() {
  const { t } = useTranslation('load');
  const { uuid } = useParams({ from: '/signed-in/fleet/load/$uuid' });
  const { tab } = useSearch({ from: '/signed-in/fleet/load/$uuid' });
  const navigate = useNavigate();
  const mayWrite = useCan('cpms:write:load-sites');
  const query = useQuery(loadSiteQuery(uuid));
  const { data: site } = query;
  if (site === undefined) return <QueryPending query={query} height={480} />;
  const live = () => <Live site={site} mayRelease={mayWrite} />;
  const history = () => <LoadHistory site={site} />;
  const whatIf = () => <WhatIf site={site} />;
  const edit = () => <TreeEditor site={site} />;
  const content = { live, history, 'what-if': whatIf, edit };
  const offered = tabs.filter((id) => id !== 'edit' || mayWrite);
  return (
    <div className={styles['page']}>
      <Header site={site} mayWrite={mayWrite} />
      <StaleNotice query={query} />
      <Tabs
        label={t('sections')}
        tabs={offered.map((id) => ({ id, title: t(`tab.${id}`), content: content[id] }))}
        selected={offered.find((id) => id === tab) ?? 'live'}
        onSelect={(id) =>
          void navigate({ to: '.', search: (before: object) => ({ ...before, tab: id }), replace: true })
        }
      />
    </div>
  );
}

function Header({ site, mayWrite }: { site: LoadSite; mayWrite: boolean }) {
  const { t } = useTranslation('load');
  const formats = useFormats();
  const toggle = useChange({
    mutationFn: () =>
      api.PATCH('/cpms/v1/load-sites/{uuid}', {
        params: { path: { uuid: site.id } },
        body: { isEnabled: !site.isEnabled },
      }),
    invalidates: ['load-sites'],
    done: ({ isEnabled }) => t(isEnabled ? 'wasEnabled' : 'wasDisabled'),
    onError: notifyFailure,
  });
  return (
    <ObjectHeader
      title={site.name}
      back={<Link to="/fleet/load">{t('title')}</Link>}
      states={
        <StateBadge
          state={site.isEnabled ? 'available' : 'offline'}
          word={t(site.isEnabled ? 'enabled' : 'disabled')}
        />
      }
      actions={
        mayWrite && (
          <Button isDisabled={toggle.isPending} onPress={() => toggle.mutate()}>
            {t(site.isEnabled ? 'disable' : 'enable')}
          </Button>
        )
      }
      facts={[
        [t('columns.strategy'), t(`strategy.${site.settings.strategy}`)],
        [t('columns.circuits'), formats.integer(site.circuits.length)],
        [t('columns.connectors'), formats.integer(site.connectors.length)],
        [t('timeZone'), site.timeZone],
      ]}
    />
  );
}

function Live({ site, mayRelease }: { site: LoadSite; mayRelease: boolean }) {
  const { t } = useTranslation('load');
  const query = useQuery(loadPlanQuery(site.id));
  const { data } = query;
  if (data === undefined) return <QueryPending query={query} height={320} />;
  return (
    <div className={styles['history']}>
      {data.plan === null && (
        <p className={styles['muted']}>{t(site.isEnabled ? 'noPlan' : 'notControlled')}</p>
      )}
      <div role="status" className={styles['problems']}>
        {data.plan?.problems.map(({ kind, circuitId, connectorId }) => (
          <p key={`${kind} ${circuitId} ${connectorId}`} className={styles['problem']}>
            <TriangleAlert aria-hidden size={15} />
            {t('worstCase', {
              problem: t(`problem.${kind}`, {
                circuit: site.circuits.find(({ id }) => id === circuitId)?.name ?? '',
                connector: connectorName(t, site, connectorId),
              }),
            })}
          </p>
        ))}
      </div>
      <SiteDiagram site={site} plan={data.plan} mayRelease={mayRelease} />
      {data.plan !== null && <p className={styles['muted']}>{t('legend')}</p>}
    </div>
  );
}
