import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCan } from '../../../app/caller.tsx';
import { tariffQuery } from '../../tariff/tariff-queries.ts';

/**
 * Tariff that a station applies, by name for callers who read tariffs. Its identifier at the station begins with the identifier of the
 * tariff.
 */
export function StationTariff({ tariffId }: { tariffId: string }) {
  const [uuid = ''] = tariffId.split(':');
  const mayRead = useCan('cpms:read:tariffs');
  const { data } = useQuery({ ...tariffQuery(uuid), enabled: mayRead });
  if (data === undefined) return tariffId;
  return (
    <Link to="/money/tariffs/$uuid" params={{ uuid }} title={tariffId}>
      {data.name}
    </Link>
  );
}
