import type { UseFormReturnType } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTRPCClient, type TriggerForm } from '../../../trpc.ts';
import { isBlank, valuesToInput, type RuleValues } from './rule-values.ts';

interface RuleCheckOptions {
  webinarId: string;
  form: UseFormReturnType<RuleValues>;
  triggers: readonly TriggerForm[];
  /** True after an attempt to save. Then empty fields are reported too. */
  isSubmitted: boolean;
}

const pauseMs = 400;

/** Shows the problems that the service finds in the form, at their fields, when the typing stops. */
export function useRuleCheck({ webinarId, form, triggers, isSubmitted }: RuleCheckOptions): void {
  const { rules } = useTRPCClient().automations;
  const [draft] = useDebouncedValue(JSON.stringify(valuesToInput(form.values, triggers)), pauseMs);
  const { data } = useQuery({
    queryKey: ['rule check', webinarId, draft],
    queryFn: ({ signal }) => rules.check.mutate({ webinarId, draft: JSON.parse(draft) }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    retry: false,
  });
  const shown = (data?.data ?? []).flatMap(({ path, message }) => {
    const value = valueAt(form.values, path);
    const isTouched = partsOf(path).some((part) => form.isTouched(part));
    if (!isSubmitted && (!isTouched || isBlank(value))) return [];
    return [[path, isBlank(value) ? 'Give a value.' : message] as const];
  });
  const shownText = JSON.stringify(shown);
  const { setErrors } = form;
  useEffect(() => setErrors(Object.fromEntries(JSON.parse(shownText))), [setErrors, shownText]);
}

/** `a.b.c` gives `a`, `a.b` and `a.b.c`. */
const partsOf = (path: string): string[] =>
  path.split('.').map((_part, index, parts) => parts.slice(0, index + 1).join('.'));

function valueAt(values: object, path: string): unknown {
  let value: unknown = values;
  for (const key of path.split('.'))
    value = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  return value;
}
