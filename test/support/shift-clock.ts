// Loaded before a process with `--import shift-clock.ts?ms=N`: its calendar is N ms ahead, as on a machine whose clock is
// wrong. Timers and performance.now() go on as they are, as they would there.
const aheadMs = Number(new URL(import.meta.url).searchParams.get('ms'));
const trueNow = Date.now.bind(Date);
const now = (): number => trueNow() + aheadMs;

globalThis.Date = new Proxy(Date, {
  construct: (target, given: unknown[], newTarget: NewableFunction) =>
    Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget) as Date,
  apply: () => new Date().toString(),
  get: (target, name): unknown => (name === 'now' ? now : Reflect.get(target, name)),
});
