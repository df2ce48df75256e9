const everyMs = 500;

/**
 * Calls back when the npm that runs this process as a script has ended. npm passes on SIGTERM and SIGINT, but not the signals
 * that kill it, and its script would run on. Returns a function that ends the watch. Without npm it does nothing, because
 * other parents may end first, such as the shell of `nohup`.
 */
export function watchNpm(variables: Record<string, string | undefined>, onGone: () => void): () => void {
  if (!variables['npm_lifecycle_event']) return () => undefined;
  // Scripts replace their shell (`exec`), so npm is the parent.
  const npm = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(timer);
    onGone();
  }, everyMs).unref();
  return () => clearInterval(timer);
}
