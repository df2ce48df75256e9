import { Checkbox, Group, Input } from '@mantine/core';
import { allSurfaces, presets, surfaces } from '@service/catalogue';
import type { ReactNode } from 'react';
import styles from './access-picker.module.css';
import { toggleSurface, type Access } from './access.ts';
import { ScopePicker } from './scope-picker.tsx';

interface AccessPickerProps {
  access: Access;
  onChange: (access: Access) => void;
  scopesError: ReactNode;
  surfacesError: ReactNode;
}

export function AccessPicker({ access, onChange, scopesError, surfacesError }: AccessPickerProps) {
  return (
    <>
      <ScopePicker
        access={access}
        onChange={onChange}
        error={scopesError}
        descriptions={{ full: presets.full.description, read: presets.read.description }}
      />
      <Input.Wrapper label="Surfaces" labelElement="div" error={surfacesError}>
        <Group gap="sm">
          {allSurfaces.map((id) => (
            <Checkbox
              key={id}
              className={styles['surface']}
              label={surfaces[id].label}
              description={surfaces[id].description}
              checked={access.surfaces.includes(id)}
              onChange={() => onChange(toggleSurface(access, id))}
            />
          ))}
        </Group>
      </Input.Wrapper>
    </>
  );
}
