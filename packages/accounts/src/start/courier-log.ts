import type { FastifyBaseLogger } from 'fastify'
import { describeError } from '../adapters/describe-error.js'
import { onceAMinute } from '../adapters/once-a-minute.js'
import { isOfOutage } from '../adapters/outages.js'
import type { CourierDeps } from '../events/courier.js'

/** What the log says of events that aren't delivered. */
export function courierLog(
  log: FastifyBaseLogger,
): Pick<CourierDeps, 'onFailure' | 'onDelay' | 'onDropped' | 'onPause'> {
  let dropped = 0
  const tellDropped = onceAMinute((subscriber: string | null, reason: string) => {
    log.error({ subscriber, dropped, reason }, 'accounts: events were dropped')
    dropped = 0
  })
  // While a subscriber fails, the first event of each minute stands for all.
  const tellDelay = new Map<string | null, (facts: object, error: unknown) => void>()
  const newTell = () =>
    onceAMinute((facts: object, error: unknown) => {
      log.warn({ err: error, ...facts }, 'accounts: an event could not be delivered and will be retried')
    })

  return {
    onFailure({ error, ...facts }) {
      const text = 'accounts: gave up on an event'
      if (isOfOutage(error)) log.info({ ...facts, reason: describeError(error) }, text)
      else log.error({ err: error, ...facts }, text)
    },
    onDelay({ error, ...facts }) {
      if (isOfOutage(error)) return
      const tell = tellDelay.get(facts.subscriber) ?? newTell()
      tellDelay.set(facts.subscriber, tell)
      tell(facts, error)
    },
    onDropped(subscriber, messages, reason) {
      dropped += messages
      tellDropped(subscriber, reason)
    },
    onPause(subscriber, running) {
      const text = 'accounts: a subscriber gets no events until some of its calls end'
      log.error({ subscriber, running }, text)
    },
  }
}
