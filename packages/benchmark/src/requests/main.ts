import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { command } from '../command.js'
import { picture } from './picture.js'
import { type Results, run } from './run.js'
import { type Settings, settingsOf, usage } from './settings.js'
import { tables } from './tables.js'

await command({ name: 'requests', usage, settingsOf, run, tables, write })

async function write({ images }: Settings, { figures }: Results): Promise<void> {
  if (!images) return
  await mkdir(images, { recursive: true })
  for (const theme of ['light', 'dark'] as const) {
    await writeFile(join(images, `requests-${theme}.svg`), picture(figures, theme))
  }
}
