import type { FastifyInstance, RouteOptions } from 'fastify'
import type { CheckRoute, VisitorHook } from '../features/host.js'

/** Has each route that lists a hook checked when it is registered. */
export type RouteChecks = (hook: VisitorHook, check: CheckRoute) => void

/** For every route of the app that is registered after the plugin. */
export function createRouteChecks(app: FastifyInstance): RouteChecks {
  const checks = new WeakMap<VisitorHook, CheckRoute>()
  app.addHook('onRoute', (route) => {
    for (const hook of hooksOf(route)) checks.get(hook)?.(route.url)
  })
  return (hook, check) => void checks.set(hook, check)
}

/** Where hooks that ask who sends a request can be. */
function hooksOf({ onRequest, preValidation, preHandler }: RouteOptions): VisitorHook[] {
  return [onRequest, preValidation, preHandler].flat().filter((hook) => hook !== undefined) as VisitorHook[]
}
