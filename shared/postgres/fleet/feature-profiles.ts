import type { Queryable } from '#shared/postgres/kernel/client.ts';

/** Stores the feature profiles that a charger of OCPP 1.6 reported. Its EVSEs have changed for partners when they are others. */
export async function recordFeatureProfiles(
  sql: Queryable,
  chargerId: number,
  profiles: readonly string[],
): Promise<void> {
  await sql`
    with changed as (
      update chargers set feature_profiles = ${[...profiles]}
      where id = ${chargerId} and feature_profiles is distinct from ${[...profiles]}::text[]
      returning id
    )
    update evses set last_updated = now() from changed where charger_id = changed.id and capabilities is null`;
}
