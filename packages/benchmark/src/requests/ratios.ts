import { type Summary, summarize } from '../statistics.js'
import type { ServiceName } from './names.js'
import type { OperationName } from './operations.js'
import type { Figure } from './run.js'

/** One service beside another at one operation. */
export interface Pair {
  operation: OperationName
  ours: ServiceName
  theirs: ServiceName
}

/** Of the rounds that ran beside each other; more is better for us. */
export interface Ratios {
  /** Requests a second, ours through theirs. */
  throughput: Summary
  /** Server CPU a request, theirs through ours. */
  cpu: Summary
}

/** @returns `null` where one of the two was not measured */
export function ratiosOf(figures: readonly Figure[], { operation, ours, theirs }: Pair): Ratios | null {
  const find = (service: ServiceName) =>
    figures.find((figure) => figure.operation === operation && figure.service === service)
  const [our, their] = [find(ours), find(theirs)]
  if (!our || !their) return null
  return {
    throughput: summarize(quotients(our.perSecond, their.perSecond)),
    cpu: summarize(quotients(their.cpu, our.cpu)),
  }
}

/** Round by round. */
export function quotients(these: readonly number[], those: readonly number[]): number[] {
  return these.map((value, round) => value / (those[round] ?? Number.NaN))
}
