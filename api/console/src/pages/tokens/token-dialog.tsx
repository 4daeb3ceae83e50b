import { longestIdTokenLimit } from '#shared/domain/fleet/ocpp-version.ts';
import { useChange } from '../../app/use-change.ts';
import { FormDialog } from '../../ui/form.tsx';
import { whitelists } from '#shared/domain/charging/authorization.ts';
import { idTokenTypes } from '#shared/domain/charging/session.ts';
import { useState } from 'react';
import { usePageZone } from '../../texts/page-zone.ts';
import { useTranslation } from 'react-i18next';
import { api, type Schemas } from '../../api/client.ts';
import { useSendOnce } from '../../api/request-key.ts';
import { useCan, useNetworks } from '../../app/caller.tsx';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { inputOf, instantOf } from '../../texts/zoned-time.ts';
import { Select, TextField } from '../../ui/field.tsx';
import form from '../../ui/form.module.css';
import { FormError } from '../people/form-error.tsx';
import { ifVersion } from '../people/if-version.ts';
import { NetworkSelect } from '../people/network-select.tsx';
import { DriverChoice } from '../../ui/driver-choice.tsx';

type Token = Schemas['IdTokenSummary'];

const orNull = (text: string) => (text.trim() === '' ? null : text.trim());

/** Form of a token, new (null) or changed. `driver`: owner of a new token, which is not asked for then. */
export function TokenDialog({
  token: shown,
  driver,
  onClose,
}: {
  token: Token | null;
  driver?: Schemas['Driver'];
  onClose: () => void;
}) {
  const { t } = useTranslation(['tokens', 'common']);
  const timeZone = usePageZone();
  // The version that the fields began with: the server refuses them when there is a later one.
  const [token] = useState(shown);
  const networks = useNetworks();
  const readsDrivers = useCan('cpms:read:users');
  const { networkUuid = networks[0]?.id ?? null } = useNetworkQuery();
  const [network, setNetwork] = useState(networkUuid);
  const [uid, setUid] = useState('');
  const [type, setType] = useState<Token['tokenType']>('RFID');
  const [userId, setUserId] = useState(driver?.id ?? token?.userId ?? undefined);
  const [storedExpires] = useState(
    typeof token?.expiresAt === 'string' ? inputOf(token.expiresAt, timeZone) : '',
  );
  const [expires, setExpires] = useState(storedExpires);
  const [visualNumber, setVisualNumber] = useState(token?.visualNumber ?? '');
  const [issuer, setIssuer] = useState(token?.issuer ?? '');
  const [contractId, setContractId] = useState(token?.contractId ?? '');
  const [groupId, setGroupId] = useState(token?.groupId ?? '');
  const [whitelist, setWhitelist] = useState<Token['whitelist']>(token?.whitelist ?? 'ALLOWED');
  const once = useSendOnce([
    network,
    uid,
    type,
    userId,
    expires,
    visualNumber,
    issuer,
    contractId,
    groupId,
    whitelist,
  ]);
  const saving = useChange({
    mutationFn: async () => {
      const fields = {
        userId: userId ?? null,
        // The input has no seconds: an unchanged time is not sent.
        ...(expires === storedExpires ? {} : { expiresAt: instantOf(expires, timeZone) ?? null }),
        visualNumber: orNull(visualNumber),
        issuer: orNull(issuer),
        contractId: orNull(contractId),
        groupId: orNull(groupId),
        whitelist,
      };
      if (token !== null) {
        const params = { path: { uuid: token.id }, header: ifVersion(token) };
        return api.PATCH('/cpms/v1/id-tokens/{uuid}', { params, body: fields });
      }
      // The network of a token with a driver is the driver's.
      const place = network === null || userId !== undefined ? {} : { networkUuid: network };
      const body = { ...fields, ...place, uid: uid.trim(), tokenType: type };
      return once((header) => api.POST('/cpms/v1/id-tokens', { params: { header }, body }));
    },
    invalidates: ['tokens'],
    done: (saved) => t(token === null ? 'new.done' : 'edit.done', { uid: saved.uid }),
    onDone: onClose,
  });
  return (
    <FormDialog
      title={token === null ? t('new.title') : t('edit.title', { uid: token.uid })}
      autoComplete="off"
      action={t(token === null ? 'new.action' : 'common:action.save')}
      saving={saving}
      failure={<FormError error={saving.error} />}
      onSubmit={() => saving.mutate()}
      onClose={onClose}
    >
      {token === null && (
        <div className={form['pair']}>
          <TextField
            label={t('field.uid')}
            description={t('field.uidHint')}
            value={uid}
            onChange={setUid}
            isRequired
            maxLength={longestIdTokenLimit}
            pattern="[!-~]+"
          />
          <Select
            label={t('field.type')}
            options={idTokenTypes.map((id) => ({ id, text: t(`type.${id}`) }))}
            value={type}
            onChange={setType}
          />
        </div>
      )}
      {driver === undefined && readsDrivers && (
        <DriverChoice
          label={t('field.driver')}
          placeholder={t('noDriver')}
          value={userId}
          networkUuid={token?.networkUuid}
          onChange={setUserId}
        />
      )}
      {token === null && userId === undefined && <NetworkSelect value={network} onChange={setNetwork} />}
      <div className={form['pair']}>
        <TextField
          label={t('field.expires')}
          description={t('field.expiresHint')}
          type="datetime-local"
          value={expires}
          onChange={setExpires}
        />
        <TextField
          label={t('field.group')}
          description={t('field.groupHint')}
          value={groupId}
          onChange={setGroupId}
          maxLength={36}
          pattern="[!-~]*"
        />
      </div>
      <Select
        label={t('field.whitelist')}
        options={whitelists.map((id) => ({ id, text: t(`whitelist.${id}`) }))}
        value={whitelist}
        onChange={setWhitelist}
      />
      <div className={form['pair']}>
        <TextField
          label={t('field.visualNumber')}
          value={visualNumber}
          onChange={setVisualNumber}
          maxLength={64}
        />
        <TextField label={t('field.issuer')} value={issuer} onChange={setIssuer} maxLength={64} />
      </div>
      <TextField label={t('field.contract')} value={contractId} onChange={setContractId} maxLength={36} />
    </FormDialog>
  );
}
