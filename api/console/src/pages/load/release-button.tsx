import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { notifyFailure, useChange } from '../../app/use-change.ts';
import { Button } from '../../ui/button.tsx';
import type { LoadSite } from './load-queries.ts';

/** Button that trusts a station again that exceeded its limit. */
export function ReleaseButton({
  site,
  connector,
}: {
  site: LoadSite;
  connector: LoadSite['connectors'][number];
}) {
  const { t } = useTranslation('load');
  const { connectorId } = connector;
  const release = useChange({
    mutationFn: () =>
      api.POST('/cpms/v1/load-sites/{uuid}/connectors/{connectorId}/release', {
        params: { path: { uuid: site.id, connectorId } },
      }),
    invalidates: ['load-sites'],
    done: () => t('released'),
    onError: notifyFailure,
  });
  return (
    <Button kind="quiet" isDisabled={release.isPending} onPress={() => release.mutate()}>
      {t('release')}
    </Button>
  );
}
