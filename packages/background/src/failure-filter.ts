export interface FailureFilter {
  /** Reports an error unless one with the same message has been reported since the last success. */
  failed(error: unknown): void;
  /** Forgets the reported messages. */
  succeeded(): void;
}

const messagesMax = 100;

/** Reports work that fails every second once, as long as its message stays the same. */
export function createFailureFilter(report: (error: unknown) => void): FailureFilter {
  const reported = new Set<string>();
  return {
    failed(error) {
      const message = error instanceof Error ? error.message : String(error);
      if (reported.has(message)) return;
      if (reported.size === messagesMax) reported.clear();
      reported.add(message);
      report(error);
    },
    succeeded: () => reported.clear(),
  };
}
