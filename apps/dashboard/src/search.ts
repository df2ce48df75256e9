// What pages keep in the URL. Search parameters are whatever somebody typed: what a page understands is kept, the rest dropped.

export interface SignInSearch {
  /** Where to go afterwards. */
  redirect?: string;
}

export interface WebinarsSearch {
  /** The create dialog is open. */
  create?: true;
}

export interface WebinarSearch {
  tab?: 'registrations' | 'automations';
  /** An open create dialog. */
  create?: 'registration' | 'rule';
  /** The delivery, or the rule, whose drawer is open. */
  delivery?: string;
  rule?: string;
}

export interface KeysSearch {
  create?: true;
  /** The key whose revoke dialog is open. */
  revoke?: string;
}

type Typed = Record<string, unknown>;

export const signInSearch = (typed: Typed): SignInSearch => ({ redirect: textOf(typed['redirect']) });

export const webinarsSearch = (typed: Typed): WebinarsSearch => ({ create: flagOf(typed['create']) });

export const webinarSearch = (typed: Typed): WebinarSearch => ({
  tab: choiceOf(typed['tab'], ['registrations', 'automations']),
  create: choiceOf(typed['create'], ['registration', 'rule']),
  delivery: textOf(typed['delivery']),
  rule: textOf(typed['rule']),
});

export const keysSearch = (typed: Typed): KeysSearch => ({
  create: flagOf(typed['create']),
  revoke: textOf(typed['revoke']),
});

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const flagOf = (value: unknown): true | undefined => (value === true ? true : undefined);

const choiceOf = <const Choice extends string>(
  value: unknown,
  choices: readonly Choice[],
): Choice | undefined => choices.find((choice) => choice === value);
