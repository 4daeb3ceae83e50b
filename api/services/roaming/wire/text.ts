import { Type } from 'typebox';

/** Text from a partner: PostgreSQL takes no NUL, and displays nothing else below space. */
export const WireText = (maxLength: number, minLength = 1) =>
  Type.String({
    minLength,
    maxLength,
    pattern: '^[^\\u0000-\\u001f\\u007f]*$',
    description: `text of ${minLength} to ${maxLength} characters without control characters`,
  });

/** URL of a partner, with its purpose; its address is checked at each call. */
export const WireUrl = (meaning?: string) =>
  Type.String({
    maxLength: 255,
    pattern: '^https?://[^\\s\\u0000-\\u001f\\u007f]+$',
    description: `a URL with http or https${meaning === undefined ? '' : `, ${meaning}`}`,
  });
