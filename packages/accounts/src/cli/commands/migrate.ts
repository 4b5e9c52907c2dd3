import { type Command, configOption, textOf } from '../command.js'
import { withProject } from '../project.js'

export const migrate: Command = {
  name: 'migrate',
  summary: 'make the tables, or bring them up to date',
  options: configOption,
  run: ({ cwd, values }) =>
    withProject({ cwd, config: textOf(values, 'config'), create: true }, async ({ source, migrate }) => {
      if (migrate === undefined) {
        throw new Error(
          `${source} exports no function migrate; where the app makes its tables, export that one`,
        )
      }
      const ran = await migrate()
      const lines = ran.length === 0 ? ['The tables are up to date.'] : ran.map((name) => `ran ${name}`)
      return { lines, data: { ran } }
    }),
}
