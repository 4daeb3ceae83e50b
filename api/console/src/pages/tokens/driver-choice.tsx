import { api, dataOf } from '../../api/client.ts';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { ObjectChoice } from '../../ui/object-choice.tsx';

interface Props {
  label: string;
  placeholder: string;
  value: string | undefined;
  onChange: (uuid: string | undefined) => void;
}

/** Choice of a driver by a part of name, e-mail address, telephone or customer number. */
export function DriverChoice(props: Props) {
  const network = useNetworkQuery();
  return (
    <ObjectChoice
      {...props}
      kind="driver"
      find={async (text) => {
        const query = { ...network, pageSize: 20, sort: 'name' as const };
        const found = await dataOf(
          api.GET('/cpms/v1/users', { params: { query: text === '' ? query : { ...query, search: text } } }),
        );
        return found.map(({ id, name, email }) => ({ id, name: `${name} · ${email}` }));
      }}
      read={(uuid) => dataOf(api.GET('/cpms/v1/users/{uuid}', { params: { path: { uuid } } }))}
    />
  );
}
