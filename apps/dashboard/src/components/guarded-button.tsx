import { Button, Tooltip, type ButtonProps } from '@mantine/core';

interface GuardedButtonProps extends ButtonProps {
  /** Why it cannot be used now. */
  reason: string | undefined;
  onClick: () => void;
}

/** A button that says why it cannot be used. Not by `disabled`, which would keep the reason from the keyboard. */
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
