import type { FastifyRequest } from 'fastify'
import { currentLogin, knownUser, loggedInUser } from 'fastify-accounts/features'
import type { Flow } from './flow.js'

/** The login that a flow belongs to: which user, and when it began. */
export function loginOf(request: FastifyRequest): string {
  const { epoch, createdAt } = currentLogin(request)
  return JSON.stringify([loggedInUser(request).id, epoch, createdAt.getTime()])
}

/** A flow that links or confirms belongs only to the login in which it began (GHSA-x445-f3h2-j279). */
export function isSameLogin({ login }: Flow, request: FastifyRequest): boolean {
  return login === null || (knownUser(request) !== null && loginOf(request) === login)
}
