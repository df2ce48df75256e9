/** Lets many wait for the next change. */
export function createSignal() {
  let waiters: (() => void)[] = [];
  return {
    wait: () => new Promise<void>((resolve) => void waiters.push(resolve)),
    notify(): void {
      const woken = waiters;
      waiters = [];
      for (const resolve of woken) resolve();
    },
  };
}
