export const themes = ['light', 'dark', 'system'] as const;
export type Theme = (typeof themes)[number];

/** Returns the chosen theme. `public/theme.js` shows it before the first paint. */
export function chosenTheme(): Theme {
  const stored = localStorage.getItem('theme');
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

/** Shows a theme from now on and in later visits. */
export function chooseTheme(theme: Theme): void {
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
  if (theme === 'system') localStorage.removeItem('theme');
  else localStorage.setItem('theme', theme);
  document.documentElement.dataset['theme'] = theme === 'system' ? (isDark ? 'dark' : 'light') : theme;
}
