import type { Translated } from 'fastify-accounts/features'
import type { sign_up_pages as en } from '../en/sign-up-pages.js'

export const sign_up_pages: Translated<typeof en> = {}
