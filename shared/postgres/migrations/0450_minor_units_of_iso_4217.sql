-- Amounts are stored in minor units. Until now the number of decimals came from CLDR, which follows cash usage and gives some
-- currencies fewer decimals than ISO 4217 does. Every stored amount of these currencies is multiplied by the difference, so
-- that it keeps its value. Append-only and immutable tables are included: their rows say the same amount as before.
do $$
declare
  guarded constant text[] := array['ledger_transactions', 'ledger_entries', 'wallets', 'invoices', 'cdrs', 'sessions'];
  name text;
begin
  create temp table rescaled (currency char(3) primary key, factor bigint not null) on commit drop;
  insert into rescaled
    select currency, 100 from unnest(string_to_array(
      'AFN ALL COP HUF IDR IRR KPW LAK LBP MGA MMK PKR SLL SOS SYP YER', ' ')) currency
    union all values ('IQD', 1000);
  -- Most installations have none of them and need no lock on any table.
  if not exists (select from networks join rescaled using (currency))
    and not exists (select from tariffs join rescaled using (currency))
    and not exists (select from wallets join rescaled using (currency))
    and not exists (select from sessions join rescaled using (currency))
  then
    return;
  end if;

  create function pg_temp.rescaled_cost(cost jsonb, factor bigint) returns jsonb language sql immutable as $cost$
    select cost || jsonb_build_object(
      'totalExclVatMinor', ((cost ->> 'totalExclVatMinor')::bigint * factor)::text,
      'totalVatMinor', ((cost ->> 'totalVatMinor')::bigint * factor)::text,
      'totalInclVatMinor', ((cost ->> 'totalInclVatMinor')::bigint * factor)::text,
      'lines', (
        select coalesce(jsonb_agg(line || jsonb_build_object(
            'exclVatMinor', ((line ->> 'exclVatMinor')::bigint * factor)::text,
            'vatMinor', ((line ->> 'vatMinor')::bigint * factor)::text) order by position), '[]')
        from jsonb_array_elements(cost -> 'lines') with ordinality as lines (line, position)))
  $cost$;

  foreach name in array guarded loop
    execute format('alter table %I disable trigger user', name);
  end loop;

  update networks n set minimum_balance_minor = minimum_balance_minor * factor
    from rescaled r where r.currency = n.currency;
  update wallets w set available_minor = available_minor * factor, held_minor = held_minor * factor,
      owed_minor = owed_minor * factor
    from rescaled r where r.currency = w.currency;
  update ledger_transactions t set available_after_minor = available_after_minor * factor,
      held_after_minor = held_after_minor * factor, owed_after_minor = owed_after_minor * factor
    from wallets w join rescaled r using (currency) where w.id = t.wallet_id;
  update ledger_entries e set amount_minor = amount_minor * factor
    from ledger_transactions t join wallets w on w.id = t.wallet_id join rescaled r using (currency)
    where t.id = e.transaction_id;
  update wallet_holds h set amount_minor = amount_minor * factor
    from wallets w join rescaled r using (currency) where w.id = h.wallet_id;
  update wallet_top_ups t set amount_minor = amount_minor * factor, refunded_minor = refunded_minor * factor
    from wallets w join rescaled r using (currency) where w.id = t.wallet_id;
  update pending_session_limits l set max_cost_minor = max_cost_minor * factor
    from chargers c join networks n on n.id = c.network_id join rescaled r using (currency)
    where c.id = l.charger_id;
  update session_revisions v set cost_minor = v.cost_minor * factor, cost = pg_temp.rescaled_cost(v.cost, factor)
    from sessions s join rescaled r using (currency) where s.id = v.session_id;
  update sessions s set cost_minor = cost_minor * factor, max_cost_minor = max_cost_minor * factor,
      cost = pg_temp.rescaled_cost(cost, factor)
    from rescaled r where r.currency = s.currency;
  update cdrs c set total_excl_vat_minor = total_excl_vat_minor * factor,
      total_incl_vat_minor = total_incl_vat_minor * factor
    from rescaled r where r.currency = c.currency;
  update invoices i set total_excl_vat_minor = total_excl_vat_minor * factor, total_vat_minor = total_vat_minor * factor,
      total_incl_vat_minor = total_incl_vat_minor * factor,
      document = document || jsonb_build_object('sessions', (
        select jsonb_agg(session || jsonb_build_object('cost', pg_temp.rescaled_cost(session -> 'cost', factor)) order by position)
        from jsonb_array_elements(document -> 'sessions') with ordinality as sessions (session, position)))
    from rescaled r where r.currency = i.currency;

  foreach name in array guarded loop
    execute format('alter table %I enable trigger user', name);
  end loop;

  -- Analytics read ClickHouse: its rows are written again from these sessions.
  insert into session_fact_marks (session_id)
    select s.id from sessions s join rescaled r using (currency) where s.status = 'COMPLETED' order by s.id;
  drop function pg_temp.rescaled_cost(jsonb, bigint);
end
$$;
