import { readFile } from 'node:fs/promises';

const documentation = new URL('../../../../docs/operations/redis.md', import.meta.url);

/** Returns the ACL rule of a user as docs/operations/redis.md shows it, with the password `PASSWORD`. */
export async function documentedUser(name: 'chargeway' | 'sentinel'): Promise<string> {
  const text = await readFile(documentation, 'utf8');
  const rule = new RegExp(`^ {4}(user ${name} .+(?:\\n {6,}.+)*)`, 'm').exec(text)?.[1];
  if (rule === undefined) throw new Error(`docs/operations/redis.md has no rule of the user ${name}`);
  return rule.replaceAll(/\s+/g, ' ');
}
