import type { FastifyRequest } from 'fastify'
import { knownLogin, knownUser, loggedInUser } from 'fastify-accounts/features'
import type { Flow } from './flow.js'

/** Which login a flow belongs to: of whom, and begun when. */
export function loginOf(request: FastifyRequest): string {
  const login = knownLogin(request)
  return JSON.stringify([loggedInUser(request).id, login?.epoch, login?.createdAt.getTime()])
}

/** A flow that links or confirms is of the login in which it was begun, and of no other one (GHSA-x445-f3h2-j279). */
export function isSameLogin({ login }: Flow, request: FastifyRequest): boolean {
  return login === null || (knownUser(request) !== null && loginOf(request) === login)
}
