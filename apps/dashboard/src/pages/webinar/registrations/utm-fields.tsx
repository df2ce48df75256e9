import { Button, Collapse, Stack, TextInput } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { utmNames } from './registrant.ts';

interface UtmFieldsProps {
  inputProps: (name: (typeof utmNames)[number]) => object;
  /** By path. A refused field opens the group. */
  errors: Readonly<Record<string, unknown>>;
}

/** The campaign of a registration, closed until a person needs it. */
export function UtmFields({ inputProps, errors }: UtmFieldsProps) {
  const id = useId();
  const [isOpened, setOpened] = useState(false);
  const isShown = isOpened || utmNames.some((name) => Boolean(errors[`utm.${name}`]));
  const Icon = isShown ? IconChevronDown : IconChevronRight;
  return (
    <div>
      <Button
        variant="subtle"
        color="gray"
        px={4}
        leftSection={<Icon size={14} />}
        aria-expanded={isShown}
        aria-controls={id}
        onClick={() => setOpened(!isShown)}
      >
        Campaign (UTM)
      </Button>
      <Collapse id={id} expanded={isShown}>
        <Stack gap="xs" pt="xs">
          {utmNames.map((name) => (
            <TextInput key={name} label={`utm_${name}`} autoComplete="off" {...inputProps(name)} />
          ))}
        </Stack>
      </Collapse>
    </div>
  );
}
