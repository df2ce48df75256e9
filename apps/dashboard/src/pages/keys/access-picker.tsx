import '../../components/choices.css';
import { Checkbox, Group, Input, Radio } from '@mantine/core';
import { allPresets, allSurfaces, presets, surfaces } from '@service/catalogue';
import type { ReactNode } from 'react';
import styles from './access-picker.module.css';
import { choosePreset, toggleSurface, type Access } from './access.ts';
import { ScopeGrid } from './scope-grid.tsx';

interface AccessPickerProps {
  access: Access;
  onChange: (access: Access) => void;
  scopesError: ReactNode;
  surfacesError: ReactNode;
}

const choices = [
  ...allPresets.map((id) => ({ ...presets[id], value: id as string })),
  { value: 'custom', label: 'Custom', description: 'Only the scopes that you select below.' },
];

export function AccessPicker({ access, onChange, scopesError, surfacesError }: AccessPickerProps) {
  const choose = (value: string) =>
    onChange(choosePreset(access, allPresets.find((id) => id === value) ?? null));
  return (
    <>
      <Radio.Group label="Access" value={access.preset ?? 'custom'} onChange={choose}>
        <div className={styles['presets']}>
          {choices.map(({ value, label, description }) => (
            <Radio.Card key={value} value={value} className={styles['preset']} aria-label={label}>
              <span className={styles['presetName']}>{label}</span>
              <span className={styles['presetText']}>{description}</span>
            </Radio.Card>
          ))}
        </div>
      </Radio.Group>
      <Input.Wrapper label="Scopes" labelElement="div" error={scopesError}>
        <ScopeGrid access={access} onChange={onChange} />
      </Input.Wrapper>
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
