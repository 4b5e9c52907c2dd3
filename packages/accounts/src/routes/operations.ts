import type { ErrorCode } from '../errors.js'

/** What the OpenAPI document says of a route beside what its schema and its guards say. */
export interface Operation {
  /** Unique among the routes; the method of the client has the same name. */
  id: string
  summary: string
  /** What its service refuses with; what its guards refuse with is known from the route. */
  errors: readonly ErrorCode[]
  /** Parameters of the query that its handler reads by itself, and what each is. Default: none. */
  query?: Readonly<Record<string, string>>
  /** A browser that has sent its form is sent on to another page. Default: `false`. */
  redirects?: boolean
}

const link = 'ACCOUNTS_INVALID_LINK'
const query = { email: 'The address, as the link says it' }

/** By method and path. Read only where somebody asks for the document. */
const operations: Readonly<Record<string, Operation>> = {
  'POST /login/': {
    id: 'login',
    summary: 'Log in',
    errors: [
      'ACCOUNTS_INVALID_CREDENTIALS',
      'ACCOUNTS_NOT_VERIFIED',
      'ACCOUNTS_DISABLED',
      'ACCOUNTS_CONFLICT',
      'ACCOUNTS_THROTTLED',
    ],
  },
  'POST /logout/': { id: 'logout', summary: 'Log out', errors: ['ACCOUNTS_UNAVAILABLE'] },
  'POST /forgot/': { id: 'forgotPassword', summary: 'Mail a link to choose a new password', errors: [] },
  'GET /reset/d/': { id: 'resetDone', summary: 'The page after a reset', errors: [] },
  'GET /reset/:uid64/:token/': {
    id: 'checkResetLink',
    summary: 'Show the form for a new password, or say whether the link is alive',
    errors: [link],
  },
  'POST /reset/:uid64/:token/': {
    id: 'resetPassword',
    summary: 'Set a new password by a link',
    errors: [link, 'ACCOUNTS_CONFLICT'],
    redirects: true,
  },
  'POST /change-password/': {
    id: 'changePassword',
    summary: 'Change the password',
    errors: ['ACCOUNTS_CONFLICT', 'ACCOUNTS_THROTTLED'],
  },
  'POST /confirm-password/': {
    id: 'confirmPassword',
    summary: 'Give the password once more, for deeds that ask for it',
    errors: ['ACCOUNTS_THROTTLED'],
  },
  'GET /sessions/': { id: 'listSessions', summary: 'List the sessions of whoever is logged in', errors: [] },
  'DELETE /sessions/:id': {
    id: 'endSession',
    summary: 'End one of them',
    errors: ['ACCOUNTS_NOT_FOUND'],
  },
  'POST /sessions/end-others/': { id: 'endOtherSessions', summary: 'End all but this one', errors: [] },
  'GET /change-password/form/': { id: 'changePasswordForm', summary: 'Show the form', errors: [] },
  'POST /change-password/form/': {
    id: 'sendChangePasswordForm',
    summary: 'Change the password by the form',
    errors: ['ACCOUNTS_CONFLICT', 'ACCOUNTS_THROTTLED'],
  },
  'GET /not-me/:uid64/:token/': {
    id: 'checkNotMe',
    summary: 'Ask whether to shut everybody out',
    errors: [link],
  },
  'POST /not-me/:uid64/:token/': {
    id: 'notMe',
    summary: 'Shut everybody out, by the link in the mail of a new login',
    errors: [link, 'ACCOUNTS_CONFLICT'],
  },
  'PATCH /me/': {
    id: 'updateMe',
    summary: 'Change the own profile',
    errors: ['ACCOUNTS_USERNAME_TAKEN', 'ACCOUNTS_CONFLICT', 'ACCOUNTS_THROTTLED'],
  },
  'DELETE /me/': {
    id: 'deleteMe',
    summary: 'Delete the own account; staff must be demoted by another member first',
    errors: ['ACCOUNTS_FORBIDDEN', 'ACCOUNTS_NOT_FOUND', 'ACCOUNTS_CONFLICT'],
  },
  'POST /change-email/': {
    id: 'changeEmail',
    summary: 'Mail a link to a new e-mail address',
    errors: ['ACCOUNTS_THROTTLED'],
  },
  'GET /email/:uid64/:token/': {
    id: 'checkEmailChange',
    summary: 'Show the page that changes the address',
    errors: [link],
    query,
  },
  'POST /email/:uid64/:token/': {
    id: 'confirmEmailChange',
    summary: 'Change the e-mail address by a link',
    errors: [link, 'ACCOUNTS_CONFLICT', 'ACCOUNTS_EMAIL_TAKEN'],
    query,
  },
  'GET /email/undo/:uid64/:token/': {
    id: 'checkEmailUndo',
    summary: 'Show the page that undoes a change',
    errors: [link],
    query,
  },
  'POST /email/undo/:uid64/:token/': {
    id: 'undoEmailChange',
    summary: 'Undo a change of the e-mail address by a link',
    errors: [link, 'ACCOUNTS_CONFLICT', 'ACCOUNTS_EMAIL_TAKEN'],
    query,
  },
  'PATCH /user/:pk': {
    id: 'updateUser',
    summary: 'Change a user',
    errors: [
      'ACCOUNTS_FORBIDDEN',
      'ACCOUNTS_CONFIRMATION_REQUIRED',
      'ACCOUNTS_NOT_FOUND',
      'ACCOUNTS_CONFLICT',
    ],
  },
  'POST /user/:pk/end-sessions/': {
    id: 'endUserSessions',
    summary: 'End the sessions of a user',
    errors: ['ACCOUNTS_FORBIDDEN', 'ACCOUNTS_NOT_FOUND', 'ACCOUNTS_CONFLICT'],
  },
  'GET /me/': { id: 'me', summary: 'Who is logged in', errors: [] },
  'GET /api-root/': { id: 'apiRoot', summary: 'The routes that are mounted', errors: [] },
  'POST /user/': creation('createUser'),
  'GET /user/': {
    id: 'listUsers',
    summary: 'List users: a page may be shorter than its limit, and only a `next` of null ends the list',
    errors: ['ACCOUNTS_FORBIDDEN', 'ACCOUNTS_THROTTLED'],
  },
  'GET /user/:pk': { id: 'showUser', summary: 'Show a user', errors: ['ACCOUNTS_NOT_FOUND'] },
  'DELETE /user/:pk': {
    id: 'deleteUser',
    summary: 'Delete a user',
    // The last one where it is oneself.
    errors: [
      'ACCOUNTS_FORBIDDEN',
      'ACCOUNTS_NOT_FOUND',
      'ACCOUNTS_CONFLICT',
      'ACCOUNTS_CONFIRMATION_REQUIRED',
    ],
  },
  'GET /user/v/:uid64/:token/': opening('openUserVerification'),
  'POST /user/v/:uid64/:token/': verification('verifyUser'),
  'POST /user/v/': resending('resendUserVerification'),
  'POST /signup/': creation('signUp'),
  'GET /signup/v/:uid64/:token/': opening('openSignupVerification'),
  'POST /signup/v/:uid64/:token/': verification('verifySignup'),
  'POST /signup/v/': resending('resendSignupVerification'),
}

function creation(id: string): Operation {
  return {
    id,
    summary: 'Create a user',
    errors: ['ACCOUNTS_FORBIDDEN', 'ACCOUNTS_USERNAME_TAKEN', 'ACCOUNTS_EMAIL_TAKEN'],
  }
}

function opening(id: string): Operation {
  const summary = 'Show the page that verifies the e-mail address; a JSON client verifies by it'
  return { id, summary, errors: [link, 'ACCOUNTS_CONFLICT'] }
}

function verification(id: string): Operation {
  return { id, summary: 'Verify the e-mail address by a link', errors: [link, 'ACCOUNTS_CONFLICT'] }
}

function resending(id: string): Operation {
  return { id, summary: 'Mail the verification link again', errors: [] }
}

/** @throws Error where nothing is said of the route */
export function operationOf({ method, path }: { method: string; path: string }): Operation {
  const operation = operations[`${method} ${path}`]
  if (operation === undefined) throw new Error(`fastify-accounts: ${method} ${path} is not described`)
  return operation
}
