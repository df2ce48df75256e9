import { IconWorld } from '@service/icons';
import { useMemo, useState } from 'react';
import { useLanguage, useTexts } from './texts.tsx';
import { localZone, nameCity, nameZone } from './time-text.ts';
import styles from './zone-choice.module.css';

interface ZoneChoiceProps {
  zone: string;
  /** The zone of the webinar, which is listed among the first. */
  webinarZone: string;
  /** ISO 8601. The time for which the zones are named: their names change with their clocks. */
  at: string;
  /** The last of the shown times. */
  until: string;
  onChange: (zone: string) => void;
}

/** Names the zone of the shown times. The list of all zones takes time to build, so it appears when somebody asks for it. */
export function ZoneChoice({ zone, webinarZone, at, until, onChange }: ZoneChoiceProps) {
  const { times } = useTexts();
  const language = useLanguage();
  const [isOpen, setOpen] = useState(false);
  const zones = useMemo(
    () => (isOpen ? listZones(webinarZone, (name) => nameCity(new Date(at), { zone: name, language })) : []),
    [isOpen, webinarZone, at, language],
  );
  return (
    <div className={styles['zone']}>
      <IconWorld size={16} aria-hidden="true" className={styles['icon']} />
      {isOpen ? (
        <select
          className={styles['select']}
          aria-label={times.zoneLabel}
          value={zone}
          autoFocus
          onChange={(event) => onChange(event.target.value)}
        >
          {zones.map(([name, label]) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      ) : (
        <span>
          {nameZone(new Date(at), { zone, language }, new Date(until))}{' '}
          <button type="button" className="text-button" onClick={() => setOpen(true)}>
            {times.changeZone}
          </button>
        </span>
      )}
    </div>
  );
}

/** The zones with their labels: the nearest ones first, then all by the names of their cities. */
function listZones(webinarZone: string, labelOf: (zone: string) => string): [string, string][] {
  const near = [...new Set([localZone(), webinarZone, 'UTC'])];
  const label = (zone: string): [string, string] => [zone, labelOf(zone)];
  const others = Intl.supportedValuesOf('timeZone').filter((zone) => !near.includes(zone));
  return [
    ...near.map(label),
    ...others.map(label).toSorted(([, one], [, other]) => one.localeCompare(other)),
  ];
}
