-- Cards of several partners with one uid: the party whose token was known first authorizes it, unless an operator chose.
alter table ocpi_tokens add chosen_at timestamptz;

-- Times from partners are bounded from now on. A stored time in the future would make every later change look old.
update ocpi_tokens set last_updated = now() where last_updated > now() + interval '5 minutes';
update locations set stated_at = now() where stated_at > now() + interval '5 minutes';
update evses set stated_at = now() where stated_at > now() + interval '5 minutes';
update connectors set stated_at = now() where stated_at > now() + interval '5 minutes';
update sessions set ocpi_patched_at = now() where ocpi_patched_at > now() + interval '5 minutes';
