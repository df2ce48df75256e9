import { useState } from 'react';
import { isOutage } from '../../failure.ts';
import { suspectConnection } from '../../live/connection.ts';

interface Submit<Values> {
  send: (values: Values) => Promise<unknown>;
  /** Leaves the page; the form waits until then. */
  onSuccess: () => Promise<void>;
  onError?: () => void;
}

/** Sends a form, and has the error of the last try. */
export function useSubmit<Values>({ send, onSuccess, onError }: Submit<Values>) {
  const [state, setState] = useState<{ isPending: boolean; error?: unknown }>({ isPending: false });
  const submit = async (values: Values): Promise<void> => {
    setState({ isPending: true });
    try {
      await send(values);
      await onSuccess();
    } catch (error) {
      if (isOutage(error)) suspectConnection();
      setState({ isPending: false, error });
      onError?.();
    }
  };
  return { ...state, submit: (values: Values) => void submit(values) };
}
