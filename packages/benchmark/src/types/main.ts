import { command } from '../command.js'
import { count, digits, table } from '../report.js'
import { summarize } from '../statistics.js'
import { machine, versionOf } from '../versions.js'
import { type Compilation, compile, type Sample, samples } from './compile.js'
import { settingsOf, usage } from './settings.js'

interface Results {
  machine: string
  versions: string[]
  /** A compilation a round. */
  rounds: Record<Sample, Compilation>[]
}

await command({
  name: 'types',
  usage,
  settingsOf,
  async run({ rounds }, signal, say): Promise<Results> {
    const results: Results = {
      machine: machine(),
      versions: ['typescript', 'fastify', 'better-auth'].map((name) => versionOf(name)),
      rounds: [],
    }
    for (let round = 1; round <= rounds; round++) {
      signal.throwIfAborted()
      say(`round ${round} of ${rounds}`)
      results.rounds.push({
        bare: compile('bare'),
        'fastify-accounts': compile('fastify-accounts'),
        'better-auth': compile('better-auth'),
      })
    }
    return results
  },
  tables,
})

function tables({ machine, versions, rounds: [first, ...others] }: Results): string {
  if (first === undefined) throw new Error('there was no round')
  const rows = Object.entries(samples).map(([key, title]) => {
    const sample = key as Sample
    const { files, types, instantiations } = first[sample]
    const { median } = summarize([first, ...others].map((round) => round[sample].check))
    const over = sample === 'bare' ? '' : count(instantiations - first.bare.instantiations)
    return [title, count(files), count(types), count(instantiations), over, `${digits(median)} ms`]
  })
  const head = ['app', 'files', 'types', 'instantiations', 'over bare Fastify', 'check time, median']
  return [`${machine}; ${versions.join(', ')}.`, table(head, rows)].join('\n\n')
}
