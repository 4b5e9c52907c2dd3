import { type Command, configOption, textOf } from '../command.js'
import { withProject } from '../project.js'

export const migrate: Command = {
  name: 'migrate',
  summary: 'create or update the tables',
  options: configOption,
  run: ({ cwd, values }) =>
    withProject({ cwd, config: textOf(values, 'config'), create: true }, async ({ source, migrate }) => {
      if (migrate === undefined) {
        throw new Error(
          `${source} exports no function migrate: export the one that creates your app's tables`,
        )
      }
      const ran = await migrate()
      const lines = ran.length === 0 ? ['The tables are up to date.'] : ran.map((name) => `ran ${name}`)
      return { lines, data: { ran } }
    }),
}
