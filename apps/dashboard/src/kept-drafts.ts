// The storage of drafts. Apart from the forms, because the sign-in page needs it and not them.

/** Begins the key of each draft; the id of the user follows. */
export const draftPrefix = 'draft:';

/** True if a form of this tab was left with unsaved values. */
export const hasDrafts = (): boolean => draftKeys().length > 0;

/** Called at sign-out, and after a sign-in for the drafts of other users. */
export function dropDrafts({ exceptOf: userId }: { exceptOf?: string | undefined } = {}): void {
  for (const key of draftKeys()) {
    if (userId === undefined || !key.startsWith(`${draftPrefix}${userId}:`)) sessionStorage.removeItem(key);
  }
}

const draftKeys = (): string[] => Object.keys(sessionStorage).filter((key) => key.startsWith(draftPrefix));
