/** Header that makes a change fail when another user changed the record since. */
export const ifVersion = ({ version }: { version: number }) => ({ 'if-match': `"${version}"` });
