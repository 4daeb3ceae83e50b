import { featuresOf } from '#shared/domain/fleet/ocpp-version.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Select } from '../../../ui/field.tsx';
import { useChargerCommand } from '../use-charger-command.ts';
import { commands } from './command-api.ts';
import { CommandDialog, type CommandProps, type Effect } from './command-dialog.tsx';
import { ConnectorSelect } from './session-dialogs.tsx';
import styles from './command-dialog.module.css';

/** Unlocks a connector. */
export function UnlockDialog(props: CommandProps) {
  const { charger } = props;
  const { t } = useTranslation('chargerCommands');
  const [connector, setConnector] = useState(String(charger.connectors[0]?.number ?? ''));
  return (
    <CommandDialog
      {...props}
      title={t('unlock.title', { charger: charger.uid })}
      action="UnlockConnector"
      sendText={t('unlock.send', { number: connector, charger: charger.uid })}
      isDangerous
      canSend={connector !== ''}
      send={() => commands.unlock(charger.id, Number(connector))}
    >
      <ConnectorSelect charger={charger} value={connector} onChange={setConnector} />
      <p className={styles['hint']}>{t('unlock.hint')}</p>
    </CommandDialog>
  );
}

/** Restarts the charger. */
export function RebootDialog(props: CommandProps) {
  const { charger, live } = props;
  const { t } = useTranslation('chargerCommands');
  const [type, setType] = useState<'Soft' | 'Hard'>('Soft');
  const running = live.charger?.connectors.filter(({ sessionId }) => sessionId !== null).length ?? 0;
  const effect: Effect = (_before, now, seen) => {
    if (!now.isOnline) return t('reboot.left');
    return seen === null ? null : t('reboot.back');
  };
  return (
    <CommandDialog
      {...props}
      title={t('reboot.title', { charger: charger.uid })}
      action="Reset"
      sendText={t('reboot.send', { charger: charger.uid })}
      isDangerous
      send={() => commands.reboot(charger.id, type)}
      effect={effect}
    >
      <Select
        label={t('reboot.type')}
        options={[
          { id: 'Soft', text: t('reboot.soft') },
          { id: 'Hard', text: t('reboot.hard') },
        ]}
        value={type}
        onChange={setType}
      />
      {running > 0 && <p className={styles['hint']}>{t('reboot.running', { count: running })}</p>}
    </CommandDialog>
  );
}

/** Closes the connection of a charger that answers nothing. */
export function DisconnectDialog({ charger, onClose }: CommandProps) {
  const { t } = useTranslation('chargerCommands');
  const disconnect = useChargerCommand(() => commands.disconnect(charger.id), {
    queryKey: ['charger', charger.id],
    done: t('disconnect.done', { charger: charger.uid }),
  });
  return (
    <ConfirmDialog
      title={t('disconnect.title', { charger: charger.uid })}
      action={t('disconnect.send')}
      onConfirm={() => disconnect.mutate(undefined)}
      onClose={onClose}
    >
      <p>{t('disconnect.hint')}</p>
    </ConfirmDialog>
  );
}

const messages = [
  'StatusNotification',
  'MeterValues',
  'Heartbeat',
  'BootNotification',
  'FirmwareStatusNotification',
];

/** Returns the messages that a charger of this version sends on request; without a version, the messages of every version. */
function triggerable(version: string | null): readonly string[] {
  const features = featuresOf(version);
  if (features === null) return messages;
  return [
    ...messages,
    ...(features.hasTransactionEvents
      ? ['TransactionEvent', 'LogStatusNotification']
      : ['DiagnosticsStatusNotification']),
  ];
}

/** Messages that concern a connector. */
const ofConnectors = ['StatusNotification', 'MeterValues', 'TransactionEvent'];

/** Requests a message of the charger. */
export function TriggerDialog(props: CommandProps) {
  const { charger } = props;
  const { t } = useTranslation('chargerCommands');
  const [message, setMessage] = useState('StatusNotification');
  const [connector, setConnector] = useState('0');
  const hasConnector = ofConnectors.includes(message) && connector !== '0';
  const effect: Effect = (before, now) => {
    const times = (of: typeof now) =>
      of.connectors.map(({ statusAt, reading }) =>
        message === 'StatusNotification' ? statusAt : (reading?.time ?? null),
      );
    return times(now).join() === times(before).join() ? null : t('trigger.effect', { message });
  };
  return (
    <CommandDialog
      {...props}
      title={t('trigger.title', { charger: charger.uid })}
      action="TriggerMessage"
      sendText={t('trigger.send')}
      send={() =>
        commands.trigger(charger.id, {
          requestedMessage: message,
          ...(hasConnector ? { connectorNumber: Number(connector) } : {}),
        })
      }
      {...(ofConnectors.includes(message) ? { effect } : {})}
    >
      <Select
        label={t('trigger.message')}
        options={triggerable(charger.ocppVersion).map((id) => ({ id, text: id }))}
        value={message}
        onChange={setMessage}
      />
      {ofConnectors.includes(message) && (
        <ConnectorSelect
          charger={charger}
          value={connector}
          onChange={setConnector}
          whole={t('allConnectors')}
        />
      )}
    </CommandDialog>
  );
}

/** Puts a connector or the charger in or out of use. */
export function AvailabilityDialog(props: CommandProps) {
  const { charger } = props;
  const { t } = useTranslation('chargerCommands');
  const [connector, setConnector] = useState('0');
  const [type, setType] = useState<'Operative' | 'Inoperative'>('Inoperative');
  const number = Number(connector);
  const object = number === 0 ? charger.uid : `${charger.uid} · ${t('connector', { number })}`;
  const effect: Effect = (_before, now) => {
    const concerned = now.connectors.filter((each) => number === 0 || each.number === number);
    const isOut = concerned.every(({ status }) => status.toLowerCase() === 'unavailable');
    return isOut === (type === 'Inoperative') ? t(`availability.is${type}`, { object }) : null;
  };
  return (
    <CommandDialog
      {...props}
      title={t('availability.title', { charger: charger.uid })}
      action="ChangeAvailability"
      sendText={t(`availability.send${type}`, { object })}
      isDangerous={type === 'Inoperative'}
      send={() => commands.availability(charger.id, { connectorNumber: number, type })}
      effect={effect}
    >
      <ConnectorSelect
        charger={charger}
        value={connector}
        onChange={setConnector}
        whole={t('wholeCharger')}
      />
      <Select
        label={t('availability.type')}
        options={(['Operative', 'Inoperative'] as const).map((id) => ({ id, text: t(`availability.${id}`) }))}
        value={type}
        onChange={setType}
      />
    </CommandDialog>
  );
}
