/** Header that makes a change fail when somebody else changed the record since. */
export const ifVersion = ({ version }: { version: number }) => ({ 'if-match': `"${version}"` });
