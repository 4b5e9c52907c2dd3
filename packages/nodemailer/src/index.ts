export { createNodemailerMailer } from './mailer.js'
export type { NodemailerOptions } from './options.js'
