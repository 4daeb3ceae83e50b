import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Role } from '#shared/domain/access/roles.ts';
import { api, type Schemas } from '../../api/client.ts';
import { permits, useCaller, useCan } from '../../app/caller.tsx';

export type CustomRole = Schemas['CustomRole'];

/** Custom roles of the caller's networks and of the installation. */
export const customRolesQuery = queryOptions({
  queryKey: ['custom-roles'],
  queryFn: () => api.GET('/cpms/v1/custom-roles', { params: { query: { pageSize: 100 } } }),
});

/** Returns the custom roles; undefined until they are loaded, and for callers that cannot read them. */
export function useCustomRoles(): CustomRole[] | undefined {
  const enabled = useCan('cpms:read:operators');
  return useQuery({ ...customRolesQuery, enabled }).data;
}

/** Roles that the caller can grant to operators. */
interface GrantableRoles {
  builtIn: readonly Role[];
  custom: readonly CustomRole[];
}

/** Returns the roles that the caller can grant: none with a scope that it lacks. */
export function useGrantableRoles(): GrantableRoles {
  const { grantableRoles, scopes } = useCaller();
  const custom = useCustomRoles() ?? [];
  return {
    builtIn: grantableRoles,
    custom:
      grantableRoles.length === 0
        ? []
        : custom.filter((role) => role.scopes.every((scope) => permits(scopes, scope))),
  };
}
