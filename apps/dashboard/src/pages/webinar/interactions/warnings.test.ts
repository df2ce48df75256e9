import { expect, test } from 'vitest';
import { warningsOf, type Timed } from './warnings.ts';

const popup = (id: string, showAtSeconds: number, hideAtSeconds: number | null, more = {}): Timed => ({
  id,
  type: 'cta',
  internalName: id,
  showAtSeconds,
  hideAtSeconds,
  display: 'popup',
  enabled: true,
  ...more,
});

const warned = (...interactions: Timed[]) => Object.fromEntries(warningsOf(interactions, 600));

test('of two pop-ups at the same time each says which one attendees see, and how both are seen', () => {
  expect(warned(popup('a', 0, 60), popup('b', 30, 90), popup('c', 90, 120))).toEqual({
    a: [
      'From 0:30, attendees who get both see “b” instead. Let this one disappear at 0:30, or choose another place for it.',
    ],
    b: [
      'Attendees who get both see it instead of “a”. Let that one disappear at 0:30, or choose another place for it.',
    ],
  });
});

test('a pop-up without an end is replaced by every later one', () => {
  const { a, c } = warned(popup('a', 0, null), popup('b', 300, 310), popup('c', 400, 410));
  expect(a).toEqual([expect.stringMatching(/^From 5:00, .* see “b” and 1 more instead/)]);
  expect(c).toEqual([expect.stringMatching(/^Attendees who get both see it instead of “a”/)]);
});

test('of two pop-ups that appear together attendees see the one that was made later', () => {
  const { a, b } = warned(popup('a', 0, 60), popup('b', 0, 60));
  expect(a).toEqual([
    expect.stringMatching(/^Attendees who get both see “b” instead. Let one of them appear/),
  ]);
  expect(b).toEqual([
    expect.stringMatching(/^Attendees who get both see it instead of “a”. Let one of them/),
  ]);
});

test('panels, recorded messages, disabled ones and those in other places replace nothing', () => {
  const others = [{ display: 'panel' }, { display: 'banner' }, { type: 'chat' }, { enabled: false }].map(
    (more, index) => popup(`other ${index}`, 0, 60, more),
  );
  expect(warned(popup('a', 0, 60), ...others)).toEqual({});
  const [first, second] = ['a', 'b'].map((id) => popup(id, 0, 60, { display: 'banner' }));
  expect(Object.keys(warned(first!, second!))).toEqual(['a', 'b']);
});

test('a time past the end of the video is named', () => {
  expect(warned(popup('a', 500, 700), popup('b', 600, null, { display: 'panel' }))).toEqual({
    a: ['Attendees see it until the video ends, at 10:00. Let it disappear earlier, or leave the end empty.'],
    b: ['Attendees never see it: the video ends at 10:00. Let it appear earlier.'],
  });
});
