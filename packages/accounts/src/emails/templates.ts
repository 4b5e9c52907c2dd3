import type { EmailTemplates } from '../seams/email-templates.js'
import { accountExistsEmail } from './account-exists.js'
import { changeEmailEmail } from './change-email.js'
import { emailChangedEmail } from './email-changed.js'
import { emailTakenEmail } from './email-taken.js'
import { passwordChangedEmail } from './password-changed.js'
import { resetPasswordEmail } from './reset-password.js'
import { verifyEmailEmail } from './verify-email.js'

/** The mails as shipped, one function per kind. */
export const defaultEmailTemplates: EmailTemplates = {
  'reset-password': resetPasswordEmail,
  'verify-email': verifyEmailEmail,
  'account-exists': accountExistsEmail,
  'password-changed': passwordChangedEmail,
  'change-email': changeEmailEmail,
  'email-changed': emailChangedEmail,
  'email-taken': emailTakenEmail,
}
