import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { useCan, useNetworks } from '../../app/caller.tsx';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { absent } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, ErrorNotice } from '../../ui/notice.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { type Column, columnsOf } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { rulesQuery } from './alerts-queries.ts';
import { RuleDialog } from './rule-dialog.tsx';
import { thresholdsOf } from './rule-draft.ts';
import { Severity } from './severity.tsx';
import styles from './alerts.module.css';

type Rule = Schemas['AlertRule'];

/** Rules of a network: one for each kind of alerts. */
export function AlertRules() {
  const { t } = useTranslation(['alerts', 'common']);
  const network = useNetworkQuery();
  const networks = useNetworks();
  const isChosen = network.networkUuid !== undefined || networks.length <= 1;
  const rules = useQuery({ ...rulesQuery(network), enabled: isChosen });
  const mayWrite = useCan('cpms:write:alerts');
  const [edited, setEdited] = useState<Rule | null>(null);
  const columns = useMemo(() => ruleColumns(t, mayWrite ? setEdited : null), [t, mayWrite]);
  if (!isChosen) return <Empty title={t('rules.choose')} />;
  const { data, error, refetch } = rules;
  return (
    <div className={styles['tab']}>
      <StaleNotice query={rules} />
      <div className={styles['list']}>
        {error !== null && data === undefined ? (
          <ErrorNotice error={error} retry={() => void refetch()} />
        ) : (
          <DataTable
            label={t('tabs.rules')}
            columns={columns}
            count={data?.length ?? 19}
            rowAt={(index) => data?.[index]}
            keyOf={({ kind }) => kind}
            {...(mayWrite ? { onOpen: setEdited } : {})}
          />
        )}
      </div>
      {edited !== null && <RuleDialog rule={edited} onClose={() => setEdited(null)} />}
    </div>
  );
}

/** Returns the recipients of a rule in words. */
function recipientsOf({ notify, recipients }: Rule, t: TFunction<['alerts', 'common']>): string {
  if (!notify) return absent;
  return recipients === null ? t('rules.owners') : t('rules.addressCount', { count: recipients.length });
}

function ruleColumns(
  t: TFunction<['alerts', 'common']>,
  onEdit: ((rule: Rule) => void) | null,
): Column<Rule>[] {
  return columnsOf(
    {
      kind: { width: 180, phone: 180, grow: true, cell: ({ kind }) => t(`kind.${kind}`) },
      enabled: { width: 70, phone: 50, cell: ({ enabled }) => (enabled ? t('common:yes') : t('common:no')) },
      severity: { width: 120, phone: false, cell: ({ severity }) => <Severity severity={severity} /> },
      thresholds: {
        width: 330,
        phone: false,
        grow: true,
        cell: (rule) =>
          thresholdsOf(rule)
            .map(([name, value]) => `${t(`threshold.${name}`)}: ${value}`)
            .join(' · ') || absent,
      },
      notify: { width: 220, phone: false, cell: (rule) => recipientsOf(rule, t) },
      actions: {
        width: 130,
        phone: 120,
        cell: (rule) =>
          onEdit === null ? (
            absent
          ) : (
            <Button
              kind="quiet"
              aria-label={t('rules.edit', { kind: t(`kind.${rule.kind}`) })}
              onPress={() => onEdit(rule)}
            >
              {t('rules.open')}
            </Button>
          ),
      },
    },
    (id) => t(`columns.${id}`),
  );
}
