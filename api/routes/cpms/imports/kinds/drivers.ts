import { userFields } from '#api/routes/user-view.ts';
import type { ImportKind } from '#api/services/imports/kind.ts';
import { findRecord } from '#api/services/imports/natural-keys.service.ts';
import { changeUser, createUser, type NewUser, readUser } from '#api/services/people/users.service.ts';
import { isBlocked } from '#api/routes/cpms/people/users.routes.ts';
import { key, optional, required } from './columns.ts';

/** Drivers. The e-mail address identifies one in its network, in any case. */
export const driverImport: ImportKind = {
  name: 'drivers',
  columns: {
    email: key(userFields.email),
    name: required(userFields.name),
    phone: optional(userFields.phone),
    language: optional(userFields.language),
    externalId: optional(userFields.externalId),
    isBlocked: optional(isBlocked),
  },
  async find(context, row) {
    const { deps, by } = context;
    const uuid = await findRecord(context, 'driver', { column: 'email', value: row['email'] });
    return uuid === null ? null : { uuid, fields: { ...(await readUser(deps, by.caller, uuid)).user } };
  },
  async fields(_context, { email, ...row }, found) {
    return found === null ? { email, ...row } : row;
  },
  async create({ deps, by, network }, { isBlocked, ...fields }) {
    const into = { uuid: network.uuid, field: 'networkId' };
    const { user } = await createUser(deps, by, into, fields as unknown as NewUser);
    if (isBlocked === true) await changeUser(deps, by, user.uuid, null, { isBlocked });
    return user;
  },
  async change({ deps, by }, uuid, fields) {
    await changeUser(deps, by, uuid, null, fields);
  },
};
