import { type Compilation, compile, type Sample, samples } from './compile.js'
import { type SettingsOf, whole } from './flags.js'
import { count, digits, table } from './report.js'
import { summarize } from './statistics.js'
import { machine, versionsOf } from './versions.js'

const flags = { rounds: whole('how often each app is compiled, for the times', 5) }

export const benchmark = {
  about: `What the types of a library cost the compiler, by its own diagnostics: one small app with a field of its own and
a typed request.user.`,
  flags,

  async run({ rounds }: SettingsOf<typeof flags>, signal: AbortSignal, say: (line: string) => void) {
    const compilations = new Map<Sample, Compilation[]>()
    for (let round = 1; round <= rounds; round++) {
      signal.throwIfAborted()
      say(`round ${round} of ${rounds}`)
      for (const sample of Object.keys(samples) as Sample[]) {
        compilations.set(sample, [...(compilations.get(sample) ?? []), compile(sample)])
      }
    }
    const firstOf = (sample: Sample) => compilations.get(sample)?.[0] as Compilation
    const rows = [...compilations].map(([sample, each]) => {
      const { files, types, instantiations } = firstOf(sample)
      const over = sample === 'bare' ? '' : count(instantiations - firstOf('bare').instantiations)
      const { median } = summarize(each.map(({ check }) => check))
      return [
        samples[sample],
        count(files),
        count(types),
        count(instantiations),
        over,
        `${digits(median)} ms`,
      ]
    })
    const head = ['app', 'files', 'types', 'instantiations', 'over bare Fastify', 'check time, median']
    return `${machine()}; ${versionsOf(['typescript', 'fastify', 'better-auth'])}.\n\n${table(head, rows)}`
  },
}
