export type Random = ReturnType<typeof createRandom>;

/** Pseudo-random numbers, the same for the same seed: mulberry32, whose whole state is one 32-bit number. */
export function createRandom(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    /** From 0 up to 1. */
    next,
    between: (from: number, to: number): number => from + (to - from) * next(),
    /** True with this probability, 0 to 1. */
    chance: (share: number): boolean => next() < share,
    /** An item of a list that is not empty. */
    pick: <Item>(list: readonly Item[]): Item => list[Math.floor(next() * list.length)]!,
  };
}

/** The seed of one attendee, so that its behaviour depends neither on the number of attendees nor on the others. */
export const seedOf = (seed: number, index: number): number =>
  (Math.imul(seed ^ 0x9e_37_79_b9, 0x85_eb_ca_6b) ^ Math.imul(index + 1, 0xc2_b2_ae_35)) >>> 0;
