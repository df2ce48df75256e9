import type { PersonalPage } from '@service/attendees';
import styles from './people.module.css';

/** The presenters with picture, name and title. */
export function People({ people }: { people: PersonalPage['webinar']['presenters'] }) {
  return (
    <ul className={styles['people']}>
      {people.map(({ name, title, imageUrl }) => (
        <li key={name} className={styles['person']}>
          {imageUrl ? <img className={styles['face']} src={imageUrl} alt="" /> : <Initials name={name} />}
          <span>
            <span className={styles['name']}>{name}</span>
            {title && <span className={styles['title']}>{title}</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The first letters of a name on a colour that is always the same for the name. */
export function Initials({ name }: { name: string }) {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) =>
    word ? String.fromCodePoint(word.codePointAt(0)!) : '',
  );
  const hue = Array.from(name, (letter) => letter.codePointAt(0)!).reduce(
    (sum, code) => (sum * 31 + code) % 360,
    7,
  );
  return (
    <span className={styles['initials']} style={{ '--hue': hue }} aria-hidden>
      {letters.join('').toUpperCase()}
    </span>
  );
}
