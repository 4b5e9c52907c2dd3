import type { ServiceName } from './names.js'
import type { Service } from './service.js'

/** Loaded one at a time, so a server's memory and start are its own. */
export async function loadService(name: ServiceName): Promise<Service> {
  if (name === 'bare') return (await import('./services/bare.js')).bare
  const { services } = name.startsWith('accounts')
    ? await import('./services/fastify-accounts.js')
    : name.endsWith('-jwt')
      ? await import('./services/by-hand-jwt.js')
      : name.startsWith('by-hand')
        ? await import('./services/by-hand.js')
        : await import('./services/better-auth.js')
  return (services as Partial<Record<ServiceName, Service>>)[name] as Service
}
