import { Button, Tooltip } from '@mantine/core';

interface RevokeButtonProps {
  label: string;
  isAllowed: boolean;
  onClick: () => void;
}

/** Members can focus it and read why they cannot use it. */
export function RevokeButton({ label, isAllowed, onClick }: RevokeButtonProps) {
  const button = (
    <Button
      variant="subtle"
      className="quiet-danger"
      size="compact-xs"
      aria-label={`Revoke ${label}`}
      aria-disabled={!isAllowed}
      data-disabled={!isAllowed || undefined}
      onClick={isAllowed ? onClick : undefined}
    >
      Revoke
    </Button>
  );
  if (isAllowed) return button;
  return <Tooltip label="Only owners of the workspace can revoke keys">{button}</Tooltip>;
}
