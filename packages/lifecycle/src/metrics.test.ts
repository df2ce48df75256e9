import { PerformanceObserver } from 'node:perf_hooks';
import { Counter } from 'prom-client';
import { expect, test, vi } from 'vitest';
import { createMetricRegistry } from './metrics.ts';

test('each registry has the metrics of the process and its own, and a second one does not observe the garbage collector again', async () => {
  const first = createMetricRegistry();
  const observe = vi.spyOn(PerformanceObserver.prototype, 'observe');
  const second = createMetricRegistry();
  expect(observe).not.toHaveBeenCalled();
  new Counter({ name: 'calls_total', help: 'Calls.', registers: [first] });
  const common = ['process_cpu_seconds_total', 'nodejs_eventloop_lag_p99_seconds', 'process_open_fds'];
  for (const registry of [first, second])
    for (const name of common) expect(await registry.metrics()).toContain(`\n${name} `);
  expect(await first.metrics()).toContain('\ncalls_total 0\n');
  expect(await second.metrics()).not.toContain('calls_total');
});
