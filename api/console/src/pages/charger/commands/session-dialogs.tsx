import { longestIdTokenLimit } from '#shared/domain/fleet/ocpp-version.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../texts/formats.ts';
import { Select, TextField } from '../../../ui/field.tsx';
import { type RunningSessions, useRunningSessions } from '../use-running-sessions.ts';
import { actionOf, commands } from './command-api.ts';
import { CommandDialog, type CommandProps, type Effect } from './command-dialog.tsx';
import styles from './command-dialog.module.css';

/** Starts a session at a connector, for a token. */
export function StartDialog(props: CommandProps) {
  const { charger } = props;
  const { t } = useTranslation('chargerCommands');
  const free = charger.connectors.find(({ status }) => status !== 'Charging') ?? charger.connectors[0];
  const [connector, setConnector] = useState(String(free?.number ?? ''));
  const [token, setToken] = useState('');
  const effect: Effect = (before, now) => {
    const started = now.connectors.find(
      ({ number, sessionId }) =>
        sessionId !== null &&
        sessionId !== before.connectors.find((each) => each.number === number)?.sessionId,
    );
    return started === undefined ? null : t('start.effect', { number: started.number });
  };
  return (
    <CommandDialog
      {...props}
      title={t('start.title', { charger: charger.uid })}
      action={actionOf('start', charger)}
      sendText={t('start.send')}
      canSend={connector !== ''}
      send={() =>
        commands.start(charger.id, {
          connectorNumber: Number(connector),
          ...(token.trim() === '' ? {} : { idTag: token.trim() }),
        })
      }
      effect={effect}
    >
      <ConnectorSelect charger={charger} value={connector} onChange={setConnector} />
      <TextField
        label={t('start.token')}
        description={t('start.tokenHint')}
        value={token}
        onChange={setToken}
        maxLength={longestIdTokenLimit}
      />
    </CommandDialog>
  );
}

/** Stops a running session. */
export function StopDialog(props: CommandProps) {
  const { charger } = props;
  const { t } = useTranslation('chargerCommands');
  const formats = useFormats();
  const { sessions, state } = useRunningSessions(charger.id);
  const [chosen, setChosen] = useState<string | null>(null);
  const [sent, setSent] = useState<(typeof sessions)[number] | null>(null);
  const session = sent ?? sessions.find(({ id }) => id === chosen) ?? sessions[0];
  const number = session?.connectorNumber;
  return (
    <CommandDialog
      {...props}
      title={t('stop.title', { charger: charger.uid })}
      action={actionOf('stop', charger)}
      sendText={number === undefined ? t('stop.sendAny') : t('stop.send', { number, charger: charger.uid })}
      isDangerous
      canSend={session !== undefined}
      send={() => {
        setSent(session ?? null);
        return commands.stop(charger.id, session?.id ?? '');
      }}
      effect={(_before, now) =>
        now.connectors.some(({ sessionId }) => sessionId === session?.id) ? null : t('stop.effect')
      }
    >
      {session === undefined ? (
        <NoSession state={state} />
      ) : (
        <Select
          label={t('stop.session')}
          options={(sent === null ? sessions : [sent]).map(
            ({ id, connectorNumber, driverName, idTag, startedAt }) => ({
              id,
              text: [
                t('connector', { number: connectorNumber }),
                driverName ?? idTag ?? '',
                formats.shortDateTime(startedAt),
              ]
                .filter((part) => part !== '')
                .join(' · '),
            }),
          )}
          value={session.id}
          onChange={(id) => {
            setSent(null);
            setChosen(id);
          }}
        />
      )}
    </CommandDialog>
  );
}

/** Tells why no session can be chosen. */
function NoSession({ state }: Pick<RunningSessions, 'state'>) {
  const { t } = useTranslation('chargerCommands');
  if (state === 'reading') return null;
  return <p className={styles['hint']}>{t(state === 'read' ? 'stop.none' : 'stop.unread')}</p>;
}

/** Choice of a connector of the charger. */
export function ConnectorSelect({
  charger,
  value,
  onChange,
  whole,
}: Pick<CommandProps, 'charger'> & {
  value: string;
  onChange: (value: string) => void;
  /** Text of the choice of no connector. Left out: a connector is required. */
  whole?: string;
}) {
  const { t } = useTranslation('chargerCommands');
  return (
    <Select
      label={t('connectorLabel')}
      options={[
        ...(whole === undefined ? [] : [{ id: '0', text: whole }]),
        ...charger.connectors.map(({ number, status }) => ({
          id: String(number),
          text: `${t('connector', { number })} · ${status}`,
        })),
      ]}
      value={value}
      onChange={onChange}
    />
  );
}
