import { Ellipsis, LockOpen, Play, RotateCcw, Square } from 'lucide-react';
import { type ComponentType, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useScopes } from '../../../app/caller.tsx';
import { Button } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import type { CommandProps } from './command-dialog.tsx';
import { AvailabilityDialog, RebootDialog, TriggerDialog, UnlockDialog } from './device-dialogs.tsx';
import { StartDialog, StopDialog } from './session-dialogs.tsx';

type Command = 'start' | 'stop' | 'unlock' | 'reboot' | 'trigger' | 'availability';

const scopes: Record<Command, string> = {
  start: 'cpms:command:remote-start',
  stop: 'cpms:command:remote-stop',
  unlock: 'cpms:command:unlock-connector',
  reboot: 'cpms:command:reboot',
  trigger: 'cpms:command:trigger-message',
  availability: 'cpms:command:change-availability',
};

const dialogs: Record<Command, ComponentType<CommandProps>> = {
  start: StartDialog,
  stop: StopDialog,
  unlock: UnlockDialog,
  reboot: RebootDialog,
  trigger: TriggerDialog,
  availability: AvailabilityDialog,
};

const buttons = [
  { command: 'start', icon: Play },
  { command: 'stop', icon: Square },
  { command: 'unlock', icon: LockOpen },
  { command: 'reboot', icon: RotateCcw },
] as const;

/** Commands of the charger that the caller may send. */
export function ChargerActions({ charger, live }: Omit<CommandProps, 'onClose'>) {
  const { t } = useTranslation(['chargerCommands', 'common']);
  const can = useScopes();
  const [open, setOpen] = useState<Command | null>(null);
  const Shown = open === null ? null : dialogs[open];
  const more = (['trigger', 'availability'] as const).filter((command) => can(scopes[command]));
  return (
    <>
      {buttons
        .filter(({ command }) => can(scopes[command]))
        .map(({ command, icon: Icon }) => (
          <Button key={command} onPress={() => setOpen(command)}>
            <Icon aria-hidden size={15} />
            {t(`${command}.name`)}
          </Button>
        ))}
      {more.length > 0 && (
        <Menu
          label={t('common:action.more')}
          trigger={
            <Button isIcon aria-label={t('common:action.more')}>
              <Ellipsis aria-hidden size={16} />
            </Button>
          }
          groups={[
            more.map((command) => ({
              id: command,
              text: t(`${command}.name`),
              onAction: () => setOpen(command),
            })),
          ]}
        />
      )}
      {Shown !== null && <Shown charger={charger} live={live} onClose={() => setOpen(null)} />}
    </>
  );
}
