import { Ellipsis, LockOpen, Play, RotateCcw, Square } from '../../../ui/icons/icons.ts';
import { type ComponentType, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useScopes } from '../../../app/caller.tsx';
import { Button } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { EditDialog } from '../edit/edit-dialog.tsx';
import { RemoveDialog } from '../edit/remove-dialog.tsx';
import type { CommandProps } from './command-dialog.tsx';
import {
  AvailabilityDialog,
  DisconnectDialog,
  RebootDialog,
  TriggerDialog,
  UnlockDialog,
} from './device-dialogs.tsx';
import { StartDialog, StopDialog } from './session-dialogs.tsx';

type Command = 'start' | 'stop' | 'unlock' | 'reboot' | 'trigger' | 'availability' | 'disconnect';

const scopes: Record<Command, string> = {
  start: 'cpms:command:remote-start',
  stop: 'cpms:command:remote-stop',
  unlock: 'cpms:command:unlock-connector',
  reboot: 'cpms:command:reboot',
  trigger: 'cpms:command:trigger-message',
  availability: 'cpms:command:change-availability',
  disconnect: 'cpms:command:reboot',
};

const dialogs: Record<Command, ComponentType<CommandProps>> = {
  start: StartDialog,
  stop: StopDialog,
  unlock: UnlockDialog,
  reboot: RebootDialog,
  trigger: TriggerDialog,
  availability: AvailabilityDialog,
  disconnect: DisconnectDialog,
};

/** Changes of the record, which send nothing to the charger. */
const edits = ['edit', 'remove'] as const;
const editScope = 'cpms:write:chargers';

const buttons = [
  { command: 'start', icon: Play },
  { command: 'stop', icon: Square },
  { command: 'unlock', icon: LockOpen },
  { command: 'reboot', icon: RotateCcw },
] as const;

/** Commands of the charger that the caller may send. */
export function ChargerActions({ charger, live }: Omit<CommandProps, 'onClose'>) {
  const { t } = useTranslation(['chargerCommands', 'chargerForm', 'common']);
  const can = useScopes();
  const [open, setOpen] = useState<Command | (typeof edits)[number] | null>(null);
  const Shown = open === null || open === 'edit' || open === 'remove' ? null : dialogs[open];
  const close = () => setOpen(null);
  const more = (['trigger', 'availability', 'disconnect'] as const).filter((command) => can(scopes[command]));
  const mayEdit = can(editScope);
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
      {(more.length > 0 || mayEdit) && (
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
            (mayEdit ? edits : []).map((edit) => ({
              id: edit,
              text: t(`chargerForm:${edit}.open`),
              onAction: () => setOpen(edit),
            })),
          ]}
        />
      )}
      {Shown !== null && <Shown charger={charger} live={live} onClose={close} />}
      {open === 'edit' && <EditDialog charger={charger} onClose={close} />}
      {open === 'remove' && <RemoveDialog charger={charger} onClose={close} />}
    </>
  );
}
