// Runs before the first paint, so that a dark page never flashes white. Keep the key in step with src/theme.ts.
{
  let chosen = 'auto';
  try {
    chosen = localStorage.getItem('color-scheme') ?? 'auto';
  } catch {
    // Storage is blocked: the system decides.
  }
  const isDark =
    chosen === 'dark' || (chosen === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');
}
