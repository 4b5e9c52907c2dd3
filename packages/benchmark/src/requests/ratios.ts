import { type Summary, summarize } from '../statistics.js'
import type { ServiceName } from './names.js'
import type { OperationName } from './operations.js'
import type { Figure } from './run.js'

/** Two services compared at one operation. */
export interface Pair {
  operation: OperationName
  ours: ServiceName
  theirs: ServiceName
}

/** For rounds that ran beside each other; more is better for us. */
export interface Ratios {
  /** Requests per second, ours divided by theirs. */
  throughput: Summary
  /** Server CPU per request, theirs divided by ours. */
  cpu: Summary
}

/** @returns `null` if one of the two was not measured */
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
