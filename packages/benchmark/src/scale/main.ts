import { command } from '../command.js'
import { run } from './run.js'
import { settingsOf, usage } from './settings.js'
import { tables } from './tables.js'

await command({ name: 'scale', usage, settingsOf, run, tables })
