/** Returns the value of a draft and its change, as the field of the form takes them. */
export const bound = <Draft, Name extends keyof Draft>(
  draft: Draft,
  change: (part: { [Each in Name]: Draft[Name] }) => void,
  name: Name,
) => ({
  value: draft[name],
  onChange: (value: Draft[Name]) => change({ [name]: value } as { [Each in Name]: Draft[Name] }),
});
