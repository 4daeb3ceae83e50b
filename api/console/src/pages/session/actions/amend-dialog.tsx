import { bound } from '../../../ui/bound.ts';
import { useState } from 'react';
import { usePageZone } from '../../../texts/page-zone.ts';
import { useTranslation } from 'react-i18next';
import { api, type Schemas } from '../../../api/client.ts';
import { useNetworks } from '../../../app/caller.tsx';
import { useFormats, absent } from '../../../texts/formats.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { type SuggestedEnergy, useSuggestedEnergy } from './suggested-energy.ts';
import { TextField } from '../../../ui/field.tsx';
import { notify } from '../../../ui/toast.tsx';
import { type Actable, hasCode, unchanged, useOpened, useSessionAction } from './actable.ts';
import { ActionError } from './action-error.tsx';
import { numberOf, textOf } from '../../../texts/numbers.ts';
import styles from './actions.module.css';
import { zonedInput, zonedInstant } from '../../../texts/zoned-time.ts';

/** Corrects energy, end or price of a session. */
export function AmendDialog({ session: shown, onClose }: { session: Actable; onClose: () => void }) {
  const session = useOpened(shown);
  const { t } = useTranslation('session');
  const suggested = useSuggestedEnergy(session);
  return (
    <Dialog isOpen onClose={onClose} title={t('amend.title')}>
      {suggested === undefined ? (
        <Skeleton height={320} />
      ) : (
        <AmendForm session={session} suggested={suggested} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface Props {
  session: Actable;
  suggested: SuggestedEnergy | null;
  onClose: () => void;
}

/** Form of an amendment. Values above the plausible maximum need a second confirmation. */
function AmendForm({ session, suggested, onClose }: Props) {
  const { t } = useTranslation(['session', 'common']);
  const network = useNetworks().find(({ id }) => id === session.networkUuid);
  const timeZone = usePageZone();
  const formats = useFormats();
  const [fields, setFields] = useState(() => ({
    ...fieldsOf(session, timeZone),
    ...(suggested === null ? {} : { energy: textOf(suggested.kwh) }),
  }));
  const [reason, setReason] = useState('');
  const [isConfirmed, setConfirmed] = useState(false);
  const changes = changesOf(fields, session, timeZone);
  const invalid = invalidFields(fields, session, timeZone);
  const hasChanges = Object.keys(changes).length > 0;
  const amend = useSessionAction(
    session,
    () =>
      api.POST('/cpms/v1/sessions/{uuid}/amend', {
        params: { path: { uuid: session.id }, header: unchanged(session) },
        body: {
          reason: reason.trim(),
          ...changes,
          ...(isConfirmed ? { confirmAbovePlausible: true } : {}),
        },
      }),
    () => {
      notify('done', t('amend.done'));
      onClose();
    },
  );
  const set = (changed: Partial<AmendFields>) => {
    setFields({ ...fields, ...changed });
    // Other values need another confirmation.
    setConfirmed(false);
    amend.reset();
  };
  const reported = formats.energy(session.energyKwh);
  const origin =
    suggested === null
      ? undefined
      : suggested.readAt === null
        ? t('amend.fromMaximum', { reported })
        : t('amend.fromReading', { reported, time: formats.time(suggested.readAt * 1000) });
  const isAbove = hasCode(amend.error, 'ABOVE_PLAUSIBLE');
  const currency = session.cost?.currency ?? network?.currency ?? '';
  const grossAfter = fields.hasOwnPrice ? (numberOf(fields.gross) ?? 0) : null;
  return (
    <>
      <div className={styles['form']}>
        <p>{t('amend.intro')}</p>
        <div className={styles['pair']}>
          <TextField
            label={t('amend.energy')}
            inputMode="decimal"
            {...bound(fields, set, 'energy')}
            isInvalid={invalid.includes('energy')}
            description={invalid.includes('energy') ? t('amend.invalid') : origin}
          />
          <TextField
            label={t('amend.end')}
            type="datetime-local"
            {...bound(fields, set, 'end')}
            isInvalid={invalid.includes('end')}
            description={invalid.includes('end') ? t('amend.endInvalid') : undefined}
          />
        </div>
        <Checkbox isSelected={fields.hasOwnPrice} onChange={(hasOwnPrice) => set({ hasOwnPrice })}>
          {t('amend.ownPrice')}
        </Checkbox>
        {fields.hasOwnPrice && (
          <div className={styles['pair']}>
            <TextField
              label={t('amend.net', { currency })}
              inputMode="decimal"
              {...bound(fields, set, 'net')}
              isInvalid={invalid.includes('net')}
            />
            <TextField
              label={t('amend.gross', { currency })}
              inputMode="decimal"
              {...bound(fields, set, 'gross')}
              isInvalid={invalid.includes('gross')}
            />
          </div>
        )}
        <TextField
          label={t('action.reason')}
          description={t('action.reasonHint')}
          value={reason}
          onChange={setReason}
          maxLength={500}
        />
        {hasChanges && <AmendMoney session={session} grossAfter={grossAfter} />}
        <p className={styles['muted']}>{hasChanges ? t('amend.locked') : t('amend.nothing')}</p>
        <ActionError error={amend.error} />
        {(isAbove || isConfirmed) && (
          <Checkbox isSelected={isConfirmed} onChange={setConfirmed}>
            {t('action.confirm')}
          </Checkbox>
        )}
      </div>
      <DialogActions>
        <Button onPress={onClose}>{t('common:action.cancel')}</Button>
        <Button
          kind="primary"
          isDisabled={
            !hasChanges ||
            invalid.length > 0 ||
            reason.trim() === '' ||
            amend.isPending ||
            (isAbove && !isConfirmed)
          }
          onPress={() => amend.mutate(undefined)}
        >
          {t('amend.send')}
        </Button>
      </DialogActions>
    </>
  );
}

/** States what an amendment does to money. `grossAfter`: the price that the operator sets, or null: the tariff decides. */
function AmendMoney({ session, grossAfter }: { session: Actable; grossAfter: number | null }) {
  const { t } = useTranslation('session');
  const formats = useFormats();
  const { cost, costUnavailable } = session;
  if (grossAfter === null) {
    const text =
      costUnavailable === 'NO_TARIFF'
        ? t('amend.noTariff')
        : session.priceState === 'REVIEW'
          ? t('amend.byTariffInReview')
          : t('amend.byTariff', {
              cost: cost === null ? absent : formats.money(cost.totalInclVat, cost.currency),
            });
    return <p className={styles['money']}>{text}</p>;
  }
  if (cost === null) return null;
  // Nothing of a price in review has been charged.
  const charged = session.priceState === 'REVIEW' ? 0 : cost.totalInclVat;
  const difference = Math.round((grossAfter - charged) * 100) / 100;
  const money = (amount: number) => formats.money(amount, cost.currency);
  return (
    <p className={styles['money']}>
      {difference === 0
        ? t('amend.unchanged', { before: money(cost.totalInclVat) })
        : t('amend.fixed', {
            after: money(grossAfter),
            before: money(cost.totalInclVat),
            difference: money(Math.abs(difference)),
            direction: t(difference > 0 ? 'amend.charged' : 'amend.refunded'),
          })}
    </p>
  );
}

/** Fields of the form as texts. */
interface AmendFields {
  energy: string;
  end: string;
  hasOwnPrice: boolean;
  net: string;
  gross: string;
}

/** Field that cannot be sent. */
type InvalidField = 'energy' | 'end' | 'net' | 'gross';

type Changes = Omit<Schemas['AmendSessionRequest'], 'reason' | 'confirmAbovePlausible'>;

/** Returns the present values of a session as fields. */
function fieldsOf({ energyKwh, endedAt, cost }: Actable, timeZone: string): AmendFields {
  return {
    energy: textOf(energyKwh),
    end: endedAt === null ? '' : zonedInput(endedAt, timeZone),
    hasOwnPrice: false,
    net: textOf(cost?.totalExclVat ?? null),
    gross: textOf(cost?.totalInclVat ?? null),
  };
}

/** Returns the fields that cannot be sent. */
function invalidFields(fields: AmendFields, { startedAt }: Actable, timeZone: string): InvalidField[] {
  const { energy, end, net, gross, hasOwnPrice } = fields;
  const at = zonedInstant(end, timeZone);
  const isEnd = at !== null && Date.parse(at) >= Date.parse(startedAt) - 1000 && Date.parse(at) <= Date.now();
  const valid: Record<InvalidField, boolean> = {
    energy: isAmount(energy),
    end: isEnd,
    net: !hasOwnPrice || isAmount(net),
    gross: !hasOwnPrice || isAmount(gross),
  };
  return (Object.keys(valid) as InvalidField[]).filter((field) => !valid[field]);
}

const isAmount = (text: string) => (numberOf(text) ?? -1) >= 0;

/** Returns the values of the fields that differ from the session's. */
function changesOf(fields: AmendFields, session: Actable, timeZone: string): Changes {
  const { energy, end, net, gross, hasOwnPrice } = fields;
  const before = fieldsOf(session, timeZone);
  const endedAt = zonedInstant(end, timeZone);
  return {
    ...(energy === before.energy ? {} : { energyKwh: numberOf(energy) ?? 0 }),
    ...(end === before.end || endedAt === null ? {} : { endedAt }),
    ...(hasOwnPrice ? { cost: { exclVat: numberOf(net) ?? 0, inclVat: numberOf(gross) ?? 0 } } : {}),
  };
}
