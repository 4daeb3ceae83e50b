-- Roles of a team: Technician, Support and Finance. Processes of the previous version refuse their requests.

-- safe: a wider constraint replaces it in this transaction
alter table operators drop constraint operators_role_check;
alter table operators add constraint operators_role_check
  check (role in ('Owner', 'Admin', 'Manager', 'Technician', 'Support', 'Finance', 'Viewer')) not valid;
-- safe: a wider constraint replaces it in this transaction
alter table api_keys drop constraint api_keys_role_ceiling_check;
alter table api_keys add constraint api_keys_role_ceiling_check
  check (role_ceiling in ('Owner', 'Admin', 'Manager', 'Technician', 'Support', 'Finance', 'Viewer')) not valid;
