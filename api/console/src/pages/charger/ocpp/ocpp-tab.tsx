import { useQuery, queryOptions } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../ui/card.tsx';
import { ComboBox } from '../../../ui/combo-box.tsx';
import { Empty, ErrorNotice } from '../../../ui/notice.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import type { TabProps } from '../tabs.tsx';
import { CommandForm } from './command-form.tsx';
import { initialValue, type JsonSchema } from './form/json-schema.ts';
import { sendCommand, type SentCommand, useSentCommands } from './sent-commands.ts';
import { SentList } from './sent-list.tsx';
import styles from './ocpp.module.css';
import { api, type Schemas } from '../../../api/client.ts';

type OcppVersion = Schemas['OcppActions']['version'];

/** Schemas change only with a release of the server. */
const staleTime = 3_600_000;

/** Actions that can be sent to chargers, by OCPP version. */
const actionsQuery = queryOptions({
  queryKey: ['ocpp-actions'],
  queryFn: () => api.GET('/cpms/v1/ocpp-schemas'),
  staleTime,
});

/** Schema of the request of an action. */
const requestSchemaQuery = (version: OcppVersion, action: string) =>
  queryOptions({
    queryKey: ['ocpp-schemas', version, action],
    queryFn: async () => {
      const params = { path: { version, action } };
      const { request } = await api.GET('/cpms/v1/ocpp-schemas/{version}/{action}', { params });
      return request satisfies JsonSchema;
    },
    staleTime,
  });

/** Sends any OCPP action to a charger, with a form made from its schema. */
export function OcppTab({ charger, live }: TabProps) {
  const { t } = useTranslation('ocpp');
  const { command: action } = useSearch({ from: '/signed-in/fleet/chargers/$uuid' });
  const navigate = useNavigate();
  const [repeated, setRepeated] = useState<SentCommand | null>(null);
  const sent = useSentCommands(charger.id);
  const actions = useQuery(actionsQuery);
  const offered = actions.data?.find(({ version }) => version === charger.ocppVersion);
  const isOnline = live.charger?.isOnline ?? charger.isOnline;

  const choose = (next: string | null) =>
    void navigate({
      to: '.',
      search: (before) => ({ ...before, command: next ?? undefined }),
      replace: true,
    });
  const repeat = (command: SentCommand) => {
    setRepeated(command);
    choose(command.action);
  };
  if (actions.error !== null)
    return <ErrorNotice error={actions.error} retry={() => void actions.refetch()} />;
  if (actions.data === undefined) return <Skeleton height={320} />;
  if (offered === undefined) return <Empty title={t('noVersion')} />;
  const chosen = offered.actions.find((each) => each.action === action);
  return (
    <div className={styles['columns']}>
      <Card title={t('title', { version: offered.version })}>
        <div className={styles['chooser']}>
          <ComboBox
            label={t('action')}
            placeholder={t('chooseAction')}
            options={offered.actions.map((each) => ({
              id: each.action,
              text: each.action,
              description: each.summary,
            }))}
            value={chosen?.action ?? null}
            onChange={choose}
          />
        </div>
        {!isOnline && <p className={styles['offline']}>{t('offline')}</p>}
        {chosen === undefined ? (
          <Empty title={t('nothingChosen')} />
        ) : (
          <>
            <p className={styles['summary']}>{chosen.summary}</p>
            <ActionForm
              key={`${chosen.action} ${repeated?.id ?? ''}`}
              version={offered.version}
              action={chosen.action}
              charger={charger}
              payload={repeated?.action === chosen.action ? repeated.payload : null}
            />
          </>
        )}
      </Card>
      <SentList commands={sent} onRepeat={repeat} />
    </div>
  );
}

function ActionForm({
  version,
  action,
  charger,
  payload,
}: {
  version: OcppVersion;
  action: string;
  charger: TabProps['charger'];
  payload: Record<string, unknown> | null;
}) {
  const { data: schema, error, refetch } = useQuery(requestSchemaQuery(version, action));
  if (error !== null) return <ErrorNotice error={error} retry={() => void refetch()} />;
  if (schema === undefined) return <Skeleton height={240} />;
  return (
    <CommandForm
      action={action}
      chargerName={charger.uid}
      schema={schema}
      initial={payload ?? (initialValue(schema, schema) as Record<string, unknown>)}
      onSend={(next) => sendCommand(charger.id, action, next)}
    />
  );
}
