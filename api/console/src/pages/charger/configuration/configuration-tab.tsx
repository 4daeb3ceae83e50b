import { featuresOf } from '#shared/domain/fleet/ocpp-version.ts';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../app/caller.tsx';
import { Card } from '../../../ui/card.tsx';
import { Empty, ErrorNotice } from '../../../ui/notice.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import type { TabProps } from '../tabs.tsx';
import { configurationQuery, deviceModelQuery } from './configuration-queries.ts';
import { ConfigurationEditor } from './configuration-editor.tsx';
import { useEdits } from './edits.ts';
import { settingOfKey, settingOfVariable, settingOfVariableKey } from './setting.ts';

/** Settings of a charger: the configuration of OCPP 1.6, or the device model of 2.0.1. */
export function ConfigurationTab({ charger }: TabProps) {
  return featuresOf(charger.ocppVersion)?.hasDeviceModel === true ? (
    <DeviceModel charger={charger} />
  ) : (
    <Configuration charger={charger} />
  );
}

type Props = Pick<TabProps, 'charger'>;

function Configuration({ charger }: Props) {
  const can = useCan('cpms:command:configuration');
  const query = useQuery({ ...configurationQuery(charger.id), enabled: can });
  const { added } = useEdits(charger.id);
  const settings = useMemo(() => {
    const reported = query.data?.result.settings ?? [];
    const known = new Set(reported.map(({ key }) => key.toLowerCase()));
    const missing = added.filter((key) => !known.has(key.toLowerCase()));
    return [...reported, ...missing.map((key) => ({ key, value: null, readonly: null }))]
      .map(settingOfKey)
      .toSorted(byGroup);
  }, [query.data, added]);
  if (!can) return <NotPermitted scope="cpms:command:configuration" />;
  if (query.data === undefined) return <Loading error={query.error} retry={() => void query.refetch()} />;
  return (
    <ConfigurationEditor
      charger={charger}
      settings={settings}
      source={{ kind: 'keys', readAt: query.dataUpdatedAt, isReading: query.isFetching, error: query.error }}
      canEdit
      onRefresh={() => void query.refetch()}
    />
  );
}

/** Shows the variables that the standard requires until the charger has sent its first report. */
function DeviceModel({ charger }: Props) {
  const canRead = useCan('cpms:command:configuration');
  const canEdit = useCan('cpms:command:variables');
  const model = useQuery(deviceModelQuery(charger.id));
  const isUnreported = model.data?.length === 0;
  const required = useQuery({ ...configurationQuery(charger.id), enabled: isUnreported && canRead });
  const settings = useMemo(
    () =>
      isUnreported
        ? (required.data?.result.settings ?? []).map(settingOfVariableKey)
        : (model.data ?? []).map(settingOfVariable).toSorted(byGroup),
    [isUnreported, required.data, model.data],
  );
  if (model.data === undefined) return <Loading error={model.error} retry={() => void model.refetch()} />;
  const reports = model.data.map(({ reportedAt }) => Date.parse(reportedAt));
  return (
    <ConfigurationEditor
      charger={charger}
      settings={settings}
      source={{
        kind: isUnreported ? 'unreported' : 'model',
        readAt: isUnreported ? required.dataUpdatedAt : reports.reduce((a, b) => Math.max(a, b), 0),
        isReading: model.isFetching || required.isFetching,
        error: isUnreported ? required.error : null,
      }}
      canEdit={canEdit}
      onRefresh={() => void model.refetch()}
    />
  );
}

/** Orders names with numbers in them by the numbers. */
const { compare } = new Intl.Collator('en', { numeric: true });
const byGroup = (a: { group: string; name: string }, b: { group: string; name: string }) =>
  compare(a.group, b.group) || compare(a.name, b.name);

function Loading({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <Card>{error === null ? <Skeleton height={480} /> : <ErrorNotice error={error} retry={retry} />}</Card>
  );
}

function NotPermitted({ scope }: { scope: string }) {
  const { t } = useTranslation();
  return (
    <Card>
      <Empty title={t('error.forbidden')}>
        <p>{t('error.forbiddenDetail', { scope })}</p>
      </Empty>
    </Card>
  );
}
