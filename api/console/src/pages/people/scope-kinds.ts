/** Kinds of scopes, by the start of their names. */
export const scopeKinds = [
  { id: 'reads', prefix: 'cpms:read:' },
  { id: 'writes', prefix: 'cpms:write:' },
  { id: 'commands', prefix: 'cpms:command:' },
] as const;
