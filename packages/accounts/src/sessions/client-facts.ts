import type { ClientFacts } from '../seams/before.js'
import type { Client } from './client.js'

/** What rules of the app get to know about a client. */
export function clientFacts({ details: { ip, browser, system }, language }: Client): ClientFacts {
  return { ip, browser, system, language: language.tag }
}
