import { randomBytes } from 'node:crypto'
import type { Command } from '../command.js'

export const secret: Command = {
  name: 'secret',
  summary: 'print a new secret for the option `secret`: 32 random bytes in base64url',
  options: {},
  async run() {
    const secret = randomBytes(32).toString('base64url')
    return { lines: [secret], data: { secret } }
  },
}
