import type { EmailTemplates } from '../seams/email-templates.js'
import { accountExistsEmail } from './account-exists.js'
import { passwordChangedEmail } from './password-changed.js'
import { resetPasswordEmail } from './reset-password.js'
import { verifyEmailEmail } from './verify-email.js'

/** The mails as shipped, one function per kind. */
export const defaultEmailTemplates: EmailTemplates = {
  'reset-password': resetPasswordEmail,
  'verify-email': verifyEmailEmail,
  'account-exists': accountExistsEmail,
  'password-changed': passwordChangedEmail,
}
