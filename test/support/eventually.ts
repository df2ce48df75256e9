/** Repeats `ask` until its answer is neither undefined, null nor false; after `withinMs` it fails and names `what`. */
export async function eventually<Result>(
  what: string,
  ask: () => Promise<Result | undefined | null | false> | Result | undefined | null | false,
  withinMs = 30_000,
): Promise<Result> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > deadline) throw new Error(`Waited ${withinMs} ms for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
