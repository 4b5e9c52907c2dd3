import { probed } from '@fastify-accounts/test-support/faults/probe'
import { type Scene, setScene } from '@fastify-accounts/test-support/faults/scene'
import { createMemoryActivityStore } from 'fastify-accounts'
import { describe } from 'vitest'
import { type FactorTrial, onHost, tryFactor } from './factor-trials.js'

const trials: FactorTrial<Scene>[] = [
  {
    name: 'a list',
    request: ({ cookie }) => ({ url: '/me/activity/', headers: { cookie } }),
    status: 200,
  },
  { name: 'a list by the host', request: (owner) => onHost('list-activity', owner), status: 200 },
]

describe('activity when any adapter call fails', () => {
  const activity = probed('activity', createMemoryActivityStore())
  tryFactor({ options: { activity }, set: setScene }, trials)
})
