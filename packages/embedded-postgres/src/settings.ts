const defaults: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '256MB',
  effective_cache_size: '1GB',
  max_wal_size: '2GB',
  random_page_cost: '1.1',
  // Compiling a plan costs more than these short statements take.
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

/** The arguments of the `postgres` program. */
export function serverArguments(cluster: string, port: number, settings: Record<string, string>): string[] {
  const merged = { ...defaults, ...settings, port: String(port) };
  return ['-D', cluster, ...Object.entries(merged).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

/**
 * The whole environment of the server's programs: nothing of PG*, LANG or LC_* may change their defaults.
 * (On Windows Node adds what the system itself needs.)
 */
export const serverEnvironment = { LC_ALL: 'C', PATH: '/usr/bin:/bin' };
