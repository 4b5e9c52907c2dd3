import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { type EventLoopUtilization, monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { type Times, timesOf } from './outcomes.js'

/** Measurements by a server's own clock, without the network and the clients. Milliseconds. */
export interface Clock {
  /** "Who am I", from request read to response written. */
  me: Times | null
  /** The longest that the event loop was blocked. */
  longest: number
  /** How long the event loop was busy, including time lost to other processes. */
  busy: number
}

/** @returns a function that reports what happened since its last call */
export function createClock(mePath: string): () => Clock {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const begun = new WeakMap<IncomingMessage, number>()
  let times: number[] = []
  let utilization: EventLoopUtilization = performance.eventLoopUtilization()
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { request: IncomingMessage }
    if (request.url === mePath) begun.set(request, performance.now())
  })
  subscribe('http.server.response.finish', (message) => {
    const start = begun.get((message as { request: IncomingMessage }).request)
    if (start !== undefined) times.push(performance.now() - start)
  })
  return () => {
    const { active } = performance.eventLoopUtilization(utilization)
    const clock: Clock = { me: timesOf(times), longest: delay.max / 1e6, busy: active }
    times = []
    delay.reset()
    utilization = performance.eventLoopUtilization()
    return clock
  }
}
