// Runs before the first paint, so that no page flashes in the other theme.
const theme = localStorage.getItem('theme');
const systemTheme = matchMedia('(prefers-color-scheme: dark)');
const showTheme = (name) => (document.documentElement.dataset.theme = name);
if (theme === 'dark' || theme === 'light') showTheme(theme);
else {
  showTheme(systemTheme.matches ? 'dark' : 'light');
  systemTheme.addEventListener('change', ({ matches }) => {
    if (localStorage.getItem('theme') === null) showTheme(matches ? 'dark' : 'light');
  });
}
