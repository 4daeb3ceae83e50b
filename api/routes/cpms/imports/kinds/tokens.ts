import { storedTokenFields, tokenFields, tokenNames, TokenType } from '#api/routes/id-token-view.ts';
import { Described } from '#api/routes/schema.ts';
import { userFields } from '#api/routes/user-view.ts';
import { type ImportKind, RowError } from '#api/services/imports/kind.ts';
import { findRecord, requireRecord } from '#api/services/imports/natural-keys.service.ts';
import {
  changeIdToken,
  createIdToken,
  type NewIdToken,
  readIdToken,
} from '#api/services/people/id-tokens.service.ts';
import { blocked } from '#api/routes/cpms/people/id-tokens.routes.ts';
import { key, optional, required } from './columns.ts';

/** Tokens. The uid identifies one in its network, in any case. */
export const tokenImport: ImportKind = {
  name: 'tokens',
  columns: {
    uid: key(tokenNames.uid),
    tokenType: required(TokenType),
    driver: optional(Described(userFields.email, 'E-mail address of the driver.')),
    visualNumber: optional(tokenFields.visualNumber),
    contractId: optional(tokenFields.contractId),
    groupId: optional(tokenFields.groupId),
    issuer: optional(tokenFields.issuer),
    whitelist: optional(tokenFields.whitelist),
    expiresAt: optional(tokenFields.expiresAt),
    blocked: optional(blocked),
  },
  async find(context, row) {
    const { deps, by } = context;
    const uuid = await findRecord(context, 'token', { column: 'uid', value: row['uid'] });
    if (uuid === null) return null;
    const { token } = await readIdToken(deps, by.caller, uuid);
    return { uuid, fields: { ...token } };
  },
  async fields(context, { uid, tokenType, driver, blocked, ...row }, found) {
    return {
      ...storedTokenFields(row),
      ...(tokenType !== undefined && { type: tokenType }),
      ...(blocked !== undefined && { isValid: blocked !== true }),
      ...(driver !== undefined && {
        userUuid: await requireRecord(
          context,
          'driver',
          { column: 'driver', value: driver },
          'USER_NOT_FOUND',
        ),
      }),
      ...(found === null && { uid }),
    };
  },
  create: ({ deps, by, network }, fields) =>
    createIdToken(deps, by, { uuid: network.uuid, field: 'networkId' }, {
      userUuid: null,
      ...fields,
    } as NewIdToken),
  async change({ deps, by }, uuid, fields) {
    if (fields['type'] !== undefined) {
      throw new RowError([
        { column: 'tokenType', code: 'VALIDATION_FAILED', message: 'of a token cannot be changed' },
      ]);
    }
    await changeIdToken(deps, by, uuid, null, fields);
  },
};
