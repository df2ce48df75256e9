import { Button, Tooltip, type ButtonProps } from '@mantine/core';
import type { Ref } from 'react';

interface GuardedButtonProps extends ButtonProps {
  /** The reason why it cannot be used now. */
  reason: string | undefined;
  onClick: () => void;
  ref?: Ref<HTMLButtonElement>;
}

/** A button with a reason why it cannot be used. It is not `disabled`, or the keyboard could not reach the reason. */
export function GuardedButton({ reason, onClick, ...props }: GuardedButtonProps) {
  const isOff = reason !== undefined;
  return (
    <Tooltip label={reason} disabled={!isOff} multiline maw={280}>
      <Button
        {...props}
        data-disabled={isOff || undefined}
        aria-disabled={isOff}
        onClick={() => (isOff ? undefined : onClick())}
      />
    </Tooltip>
  );
}
